import { useLayoutEffect } from "preact/hooks";

/** Keeps the focus where it is when an update moves the element that has it. Moved elements lose the focus. */
export function useKeptFocus(): void {
  const focused = document.activeElement;
  useLayoutEffect(() => {
    if (focused instanceof HTMLElement && focused.isConnected && document.activeElement === document.body) focused.focus({ preventScroll: true });
  });
}
