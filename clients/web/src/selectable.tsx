import type { ComponentChildren, CSSProperties, JSX } from "preact";
import { confirmedMove, type Selection } from "./selection.js";
import { t } from "./texts/texts.js";

/** What every selectable element needs: the current selection, and the function that changes it. */
export interface SelectionControl {
  selection: Selection;
  onSelect: (target: string) => void;
}

interface SelectableProps {
  /** The id of the place or piece, which paths of moves name. */
  target: string;
  /** What it is. */
  label: string;
  /** What is worth knowing about it. */
  note?: string | undefined;
  /** Whether it cannot be selected, although paths name it: another element stands for it. */
  isInert?: boolean;
  control: SelectionControl;
  class?: string;
  transform?: string;
  style?: CSSProperties | undefined;
  children?: ComponentChildren;
}

/** The attributes that make an element a button. */
interface Handlers {
  role: "button";
  /** In lower case: SVG elements ignore `tabIndex`, so the keyboard would not reach them. */
  tabindex: 0;
  "aria-label": string;
  "aria-pressed": boolean;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** Returns the attributes of a button, or `undefined` for an element that cannot be selected now. */
function selectableHandlers({ selection, onSelect }: SelectionControl, target: string): Handlers | undefined {
  const next = selection.next.get(target);
  const isSelected = selection.targets.includes(target);
  if (!next && !isSelected) return undefined;
  const move = confirmedMove(selection, target);
  return {
    role: "button",
    tabindex: 0,
    "aria-label": next?.label ?? (move ? t("board-confirm", { move: move.text }) : t("board-undo")),
    "aria-pressed": isSelected && !next,
    onKeyDown: (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (!event.repeat) onSelect(target); // A key that is held would confirm what it has selected.
    },
  };
}

/** Returns the CSS classes of an element that can be selected, or is selected. */
function selectableClass({ selection }: SelectionControl, target: string): string {
  const [canSelect, isSelected] = [selection.next.has(target), selection.targets.includes(target)];
  return [canSelect && "selectable", isSelected && "selected"].filter(Boolean).join(" ");
}

/** A part of a board (SVG) that is a button while a move leads through it. Its pane handles pointers. */
export function Selectable({ target, label, note, isInert, control, class: more = "", transform, style, children }: SelectableProps): JSX.Element {
  const handlers = isInert ? undefined : selectableHandlers(control, target);
  const states = handlers ? `${more} ${selectableClass(control, target)}` : more;
  const said = note ? `${label}. ${note}` : label;
  return (
    <g data-id={target} class={states} {...{ transform, style }} {...handlers} {...(handlers && { "aria-description": said })}>
      <title>{said}</title>
      {children}
    </g>
  );
}
