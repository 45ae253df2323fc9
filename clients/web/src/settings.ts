import { useEffect, useState } from "preact/hooks";

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
/** The values since the page was loaded, for browsers that block storage. */
const known = new Map<Setting, boolean>();

/** Returns the value of a setting. */
export function setting(name: Setting): boolean {
  const remembered = known.get(name);
  if (remembered !== undefined) return remembered;
  try {
    const stored = localStorage.getItem(PREFIX + name);
    return stored === null ? DEFAULTS[name] : stored === "on";
  } catch {
    return DEFAULTS[name];
  }
}

/** Returns the value of a setting, and a function that changes it everywhere on the page. */
export function useSetting(name: Setting): readonly [boolean, (value: boolean) => void] {
  const [, redraw] = useState(0);
  useEffect(() => {
    const changed = (): void => redraw((count) => count + 1);
    addEventListener("skerry-setting", changed);
    return () => removeEventListener("skerry-setting", changed);
  }, []);
  return [setting(name), (value) => changeSetting(name, value)];
}

/** Changes a setting everywhere on the page. */
export function changeSetting(name: Setting, value: boolean): void {
  known.set(name, value);
  try {
    localStorage.setItem(PREFIX + name, value ? "on" : "off");
  } catch {
    // The value lasts until the page is closed.
  }
  dispatchEvent(new Event("skerry-setting"));
}
