import { useEffect, useRef } from "preact/hooks";

/** Where keys can be at work: the picture, and what can be done in words. */
const PARTS = ".board, .doing";

/**
 * Gives the focus back to the part of the table where a key was pressed last, when what had it is gone or can be
 * touched no more: who plays by keys goes on from there. `shown`: what is looked for again when it changes.
 */
export function useFocusKept(shown: string): void {
  const part = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const remember = ({ target }: Event): void => {
      part.current = target instanceof Element ? target.closest<HTMLElement>(PARTS) : null;
    };
    const forget = (): void => {
      part.current = null;
    };
    addEventListener("keydown", remember);
    addEventListener("pointerdown", forget);
    return () => {
      removeEventListener("keydown", remember);
      removeEventListener("pointerdown", forget);
    };
  }, []);
  useEffect(() => {
    // Browsers take the focus from what can have it no more only when they paint.
    const frame = requestAnimationFrame(() => requestAnimationFrame(() => giveBack(part.current)));
    return () => cancelAnimationFrame(frame);
  }, [shown]);
}

/** What keys go on with, if there is any: what can be done, but to take back last; or else where they scroll. */
const NEXT = ['.hot[tabindex="0"]', ".taken-bar .now", ".word", "button:not(:disabled)", '[tabindex="0"]'];

function giveBack(part: HTMLElement | null): void {
  if (document.activeElement !== document.body) return;
  const [next] = NEXT.flatMap((selector) => part?.querySelector<HTMLElement>(selector) ?? []);
  next?.focus({ preventScroll: true });
}
