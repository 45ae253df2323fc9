import { read, write } from "./storage.js";
import { useLatest } from "./useLatest.js";

/** The settings of this browser, with their values before the player changes them. */
const DEFAULTS = {
  /** Whether a second click or key confirms each move. Otherwise only moves that would be costly by mistake ask. */
  confirm: true,
  /** Whether the moves are listed in words although the board offers all of them. */
  list: false,
  /** Whether the page makes sounds. Phones are often used where sounds disturb. */
  sound: !globalThis.matchMedia?.("(pointer: coarse)").matches,
  /** Whether the page shows what players say beside their seats. The log has it in any case. */
  emotes: true,
  /** Whether the browser shows a notification when it is the player's turn. */
  notify: false,
};

export type Setting = keyof typeof DEFAULTS;

const PREFIX = "skerry.setting.";
const CHANGED = "skerry-setting";

/** Returns the value of a setting. */
export function setting(name: Setting): boolean {
  const stored = read(PREFIX + name);
  return stored ? stored === "on" : DEFAULTS[name];
}

/** Returns the value of a setting, and a function that changes it everywhere on the page. */
export function useSetting(name: Setting): readonly [boolean, (value: boolean) => void] {
  const value = useLatest(() => setting(name), CHANGED);
  return [value, (changed) => changeSetting(name, changed)];
}

/** Changes a setting everywhere on the page. */
export function changeSetting(name: Setting, value: boolean): void {
  write(PREFIX + name, value ? "on" : "off");
  dispatchEvent(new Event(CHANGED));
}
