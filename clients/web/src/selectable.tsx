import type { ComponentChildren, JSX } from "preact";
import { confirmedMove, type Selection } from "./selection.js";

/** What every selectable element needs: the current selection, and the function that changes it. */
export interface SelectionControl {
  selection: Selection;
  onSelect: (target: string) => void;
}

interface SelectableProps extends SelectionControl {
  /** The element's name in the paths of moves. */
  target: string;
  children?: ComponentChildren;
  class?: string;
  transform?: string;
}

/** The attributes that make an element a button. */
interface Handlers {
  role: "button";
  /** In lower case: SVG elements ignore `tabIndex`, so the keyboard would not reach them. */
  tabindex: 0;
  "aria-label": string;
  "aria-pressed": boolean;
  onClick: (event: MouseEvent) => void;
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
    "aria-label": next?.label ?? (move ? `confirm: ${move.text}` : "undo"),
    "aria-pressed": isSelected && !next,
    onClick: (event) => {
      event.stopPropagation();
      onSelect(target);
    },
    onKeyDown: (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      onSelect(target);
    },
  };
}

/** Returns the CSS classes of an element that can be selected, or is selected. */
export function selectableClass({ selection }: SelectionControl, target: string, more = ""): string {
  const [canSelect, isSelected] = [selection.next.has(target), selection.targets.includes(target)];
  return `${more} ${canSelect ? "selectable" : ""} ${isSelected ? "selected" : ""}`.trim();
}

/** A part of a board (SVG) that is a button while a move leads through it. */
export function Selectable({ target, children, class: more, transform, selection, onSelect }: SelectableProps): JSX.Element {
  const control = { selection, onSelect };
  return (
    <g data-target={target} class={selectableClass(control, target, more)} transform={transform} {...selectableHandlers(control, target)}>
      {children}
    </g>
  );
}

/** A card (HTML) that is a button while a move leads through it. Screen readers then announce the card and the action. */
export function SelectableCard({ target, children, class: more, label, selection, onSelect }: SelectableProps & { label: string }): JSX.Element {
  const control = { selection, onSelect };
  const { "aria-label": action, ...handlers } = selectableHandlers(control, target) ?? { role: "img", "aria-label": undefined };
  const description = action === undefined ? { "aria-label": label } : { "aria-description": label };
  return (
    <div data-target={target} class={selectableClass(control, target, `card ${more ?? ""}`)} {...handlers} {...description}>
      {children}
      {action !== undefined && <span class="visually-hidden">{action}</span>}
    </div>
  );
}

/** Moves the focus with an arrow key to the nearest selectable element in that direction. */
export function moveFocus(event: KeyboardEvent): void {
  const directions: Record<string, readonly [number, number]> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
  };
  const direction = directions[event.key];
  const from = document.activeElement;
  if (!direction || !(from instanceof Element) || !from.matches("[data-target]")) return;
  const near = nearest(from, [...document.querySelectorAll<HTMLElement>('[data-target][tabindex="0"]')], direction);
  if (!near) return;
  event.preventDefault();
  near.focus();
}

function nearest(from: Element, all: readonly HTMLElement[], [dx, dy]: readonly [number, number]): HTMLElement | undefined {
  const [x, y] = middle(from);
  const costs = all.map((element) => {
    const [toX, toY] = middle(element);
    const along = (toX - x) * dx + (toY - y) * dy;
    const aside = Math.abs((toX - x) * dy) + Math.abs((toY - y) * dx);
    return element === from || along <= 1 ? Infinity : along + 2 * aside;
  });
  const best = Math.min(...costs);
  return best === Infinity ? undefined : all[costs.indexOf(best)];
}

function middle(element: Element): readonly [number, number] {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
