import { useEffect, useRef } from "preact/hooks";
import { arrowTarget, focusOn, isDark } from "../board/focus.js";
import { digitsOf, withoutDuplicates } from "./moveDigits.js";
import type { MoveSelection } from "./useMoveSelection.js";

/** Elements that use keys themselves. */
const BUSY = "input, select, textarea, .drawer *, dialog *";

/**
 * Lets keys choose a move wherever the focus is, except in elements that use keys themselves: arrows go to what can be
 * selected on the board, digits select from the list of moves. Enter is a click on the focused element, which explains
 * why an element cannot be selected.
 */
export function useMoveKeys({ selection, onSelect }: MoveSelection): void {
  /** The first of two digits, and the moves that were offered then. */
  const begun = useRef({ digit: "", of: "" });
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const { key, target, altKey, ctrlKey, metaKey } = event;
      if (event.defaultPrevented || event.repeat || altKey || ctrlKey || metaKey || (target as Element).matches?.(BUSY)) return;
      const focused = document.activeElement;
      const near = arrowTarget(event, focused);
      const isDigit = /^[1-9]$/.test(key);
      const asked = (key === "Enter" || key === " ") && isDark(focused) ? focused : undefined;
      if (near) focusOn(near);
      if (isDigit) typed(key);
      else begun.current.digit = "";
      asked?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      if (near || asked || isDigit) event.preventDefault();
    };
    const typed = (digit: string): void => {
      const offered = withoutDuplicates([...selection.next.values()]);
      const of = offered.map((next) => next.target).join();
      const digits = begun.current.of === of ? begun.current.digit + digit : digit;
      const listed = offered.find((_, place) => digitsOf(place, offered.length) === digits);
      begun.current = { digit: listed || digits.length > 1 ? "" : digits, of };
      if (listed) onSelect(listed.target);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
}
