import { useEffect } from "preact/hooks";
import { arrowTarget, focusOn, isDark } from "../board/focus.js";
import { withoutDuplicates } from "./MoveChoices.js";
import type { MoveSelection } from "./useMoveSelection.js";

/** Elements that use keys themselves. */
const BUSY = "input, select, textarea, .drawer *, dialog *";

/**
 * Lets keys choose a move wherever the focus is, except in elements that use keys themselves: arrows go to what can be
 * selected on the board, digits select from the list of moves. Enter is a click on the focused element, which explains
 * why an element cannot be selected.
 */
export function useMoveKeys({ selection, onSelect }: MoveSelection): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const { key, target, altKey, ctrlKey, metaKey } = event;
      if (event.defaultPrevented || event.repeat || altKey || ctrlKey || metaKey || (target as Element).matches?.(BUSY)) return;
      const focused = document.activeElement;
      const near = arrowTarget(event, focused);
      const listed = /^[1-9]$/.test(key) ? withoutDuplicates([...selection.next.values()])[Number(key) - 1] : undefined;
      const asked = (key === "Enter" || key === " ") && isDark(focused) ? focused : undefined;
      if (near) focusOn(near);
      if (listed) onSelect(listed.target);
      asked?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      if (near ?? listed ?? asked) event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
}
