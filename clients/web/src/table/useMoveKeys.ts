import { useLayoutEffect, useRef } from "preact/hooks";
import { listen } from "../listen.js";
import { arrowTarget, focusOn, isDark } from "../board/focus.js";
import { digitsOf, withoutDuplicates } from "./moveDigits.js";
import type { MoveSelection } from "./useMoveSelection.js";

/** Elements that use keys themselves. */
const BUSY = "input, select, textarea, .drawer *, dialog *";

/**
 * Lets keys choose a move wherever the focus is, except in elements that use keys themselves: arrows go to what can be
 * selected on the board, digits select from the list of moves, Enter explains why the focused element cannot be selected,
 * and Escape clears the selection.
 */
export function useMoveKeys({ selection, onSelect, onExplain, undo }: MoveSelection): void {
  /** The first of two digits, and what was offered then. */
  const begun = useRef<{ digit: string; of: string; move: unknown }>({ digit: "", of: "", move: undefined });
  // A layout effect: keys act on what is shown, even if they are pressed as soon as it shows.
  useLayoutEffect(() => {
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
      if (asked) onExplain(asked.dataset["id"]!);
      if (key === "Escape") undo();
      if (near || asked || isDigit) event.preventDefault();
    };
    const typed = (digit: string): void => {
      const offered = withoutDuplicates([...selection.next.values()]);
      const all = offered.map((_, place) => digitsOf(place, offered.length));
      const of = offered.map((next) => next.target).join();
      const move = selection.paths[0]?.move;
      const first = begun.current.of === of && begun.current.move === move ? begun.current.digit : "";
      const digits = [first + digit, digit].find((one) => all.some((each) => each.startsWith(one)));
      const listed = digits && offered[all.indexOf(digits)];
      begun.current = { digit: (!listed && digits) || "", of, move };
      if (listed) onSelect(listed.target);
    };
    return listen(["keydown"], pressed);
  });
}
