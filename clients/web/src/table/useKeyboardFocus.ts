import { useEffect, useRef } from "preact/hooks";
import { listen } from "../listen.js";

/** The parts of the table that players use by keyboard. */
const PARTS = ".board, .choices, .dock";
/** What gets the focus next in each part, in order of preference. */
const ON_BOARD = [".confirm", '.board .selectable[tabindex="0"]', ".word", ".dock .now"];
const IN_LIST = [".confirm", ".word", '.board .selectable[tabindex="0"]', ".dock .now"];

/**
 * Leads the focus of keyboard players from decision to decision: to *Confirm* once a move is complete, otherwise to the
 * first element that can be selected, on the board or in the list, whichever the player uses. Runs whenever `shown` changes.
 */
export function useKeyboardFocus(shown: string): void {
  /** Where the last key was pressed. Absent after a pointer was used. */
  const part = useRef<"board" | "list" | undefined>(undefined);
  useEffect(() => {
    const remember = ({ target, key }: KeyboardEvent): void => {
      if (!(target instanceof Element)) return;
      if (target.closest(".word, .list")) part.current = "list";
      else if (target.closest(PARTS) || target === document.body) part.current = /^\d$/.test(key) ? (part.current ?? "board") : "board";
      else part.current = undefined;
    };
    return listen(["keydown"], remember);
  }, []);
  useEffect(() => listen(["pointerdown"], () => (part.current = undefined)), []);
  useEffect(() => {
    // Wait for a paint: only then do browsers remove the focus from an element that cannot have it any more.
    const frame = requestAnimationFrame(() => requestAnimationFrame(() => lead(part.current)));
    return () => cancelAnimationFrame(frame);
  }, [shown]);
}

function lead(part: "board" | "list" | undefined): void {
  if (!part || !isFree()) return;
  const [next] = (part === "list" ? IN_LIST : ON_BOARD).flatMap((selector) => document.querySelector<HTMLElement>(`.play ${selector}`) ?? []);
  next?.focus({ preventScroll: true });
}

/** Whether the player has not moved the focus elsewhere meanwhile. */
function isFree(): boolean {
  const focused = document.activeElement;
  return !focused || focused === document.body || focused.closest(PARTS) !== null;
}
