import { useEffect, useRef } from "preact/hooks";
import { clearTurn, notifyTurn } from "../notifications.js";
import { changeSetting, setting } from "../settings.js";
import { play } from "../sound.js";
import { useKey } from "../useKey.js";
import type { Playback } from "./usePlayback.js";

interface Signals {
  /** The title of the game. */
  title: string;
  isMine: boolean;
  isOver: boolean;
  playback: Playback;
  /** The seat of the viewer. */
  seat: number | undefined;
  /** Whether the last move was refused. */
  isRefused: boolean;
}

/** Signals what happens to a player who may look elsewhere: by sounds, notifications and the badge of the app. */
export function useSignals({ title, isMine, isOver, playback: { step }, seat, isRefused }: Signals): void {
  useOnChange(isMine, () => {
    if (!isMine) return clearTurn();
    play("turn");
    notifyTurn(title);
  });
  useOnChange(isOver, () => isOver && play("over"));
  useOnChange(isRefused, () => isRefused && play("refused"));
  useOnChange(step?.sequence, () => step && step.seat !== seat && play("move"));
  useEffect(() => clearTurn, []);
  useKey("m", () => changeSetting("sound", !setting("sound")));
}

/** Runs an effect when a value changes, but not at first. */
function useOnChange(value: unknown, changed: () => unknown): void {
  const known = useRef(value);
  useEffect(() => {
    if (known.current !== value) changed();
    known.current = value;
  }, [value]);
}
