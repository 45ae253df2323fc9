import { useEffect, useRef } from "preact/hooks";

/** The parts of the table that players use by keyboard: the board and the actions. */
const PARTS = ".board, .actions";

/**
 * Restores the focus for keyboard players. When the focused element disappears or cannot be selected any more, the part of
 * the table where the last key was pressed gets the focus. Runs whenever `shown` changes.
 */
export function useFocusRestore(shown: string): void {
  const part = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const remember = ({ target }: Event): void => {
      part.current = target instanceof Element ? target.closest<HTMLElement>(PARTS) : null;
    };
    const forgetSession = (): void => {
      part.current = null;
    };
    addEventListener("keydown", remember);
    addEventListener("pointerdown", forgetSession);
    return () => {
      removeEventListener("keydown", remember);
      removeEventListener("pointerdown", forgetSession);
    };
  }, []);
  useEffect(() => {
    // Wait for a paint: only then do browsers remove the focus from an element that cannot have it any more.
    const frame = requestAnimationFrame(() => requestAnimationFrame(() => giveBack(part.current)));
    return () => cancelAnimationFrame(frame);
  }, [shown]);
}

/** The elements that can get the focus, in order of preference: actions first, undo last, then scrollable areas. */
const NEXT = ['.selectable[tabindex="0"]', ".selection-bar .now", ".word", "button:not(:disabled)", '[tabindex="0"]'];

function giveBack(part: HTMLElement | null): void {
  if (document.activeElement !== document.body) return;
  const [next] = NEXT.flatMap((selector) => part?.querySelector<HTMLElement>(selector) ?? []);
  next?.focus({ preventScroll: true });
}
