import type { ComponentChildren, JSX } from "preact";
import { type Choice, confirmed } from "./choice.js";

/** What is handed down to whatever can be touched. */
export interface Touching {
  choice: Choice;
  onTouch: (at: string) => void;
}

interface HotProps extends Touching {
  /** The element's name in the ways. */
  at: string;
  children?: ComponentChildren;
  class?: string;
  transform?: string;
}

/** What makes an element touchable now. */
interface Handlers {
  role: "button";
  /** In small letters: in a picture `tabIndex` would be another attribute, and nothing be reached by keys. */
  tabindex: 0;
  "aria-label": string;
  "aria-pressed": boolean;
  onClick: (event: MouseEvent) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** Returns what makes an element touchable now, and nothing for one that leads nowhere. */
function touchable({ choice, onTouch }: Touching, at: string): Handlers | undefined {
  const next = choice.next.get(at);
  const isTaken = choice.taken.includes(at);
  if (!next && !isTaken) return undefined;
  const done = confirmed(choice, at);
  return {
    role: "button",
    tabindex: 0,
    "aria-label": next?.label ?? (done ? `confirm: ${done.text}` : "undo"),
    "aria-pressed": isTaken && !next,
    onClick: (event) => {
      event.stopPropagation();
      onTouch(at);
    },
    onKeyDown: (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      onTouch(at);
    },
  };
}

/** Returns the classes of an element that can be touched, or has been. */
export function heat({ choice }: Touching, at: string, more = ""): string {
  return `${more} ${choice.next.has(at) ? "hot" : ""} ${choice.taken.includes(at) ? "taken" : ""}`.trim();
}

/** A part of a picture that can be touched when a move leads over it. */
export function Hot({ at, children, class: more, transform, choice, onTouch }: HotProps): JSX.Element {
  const touching = { choice, onTouch };
  return (
    <g data-at={at} class={heat(touching, at, more)} transform={transform} {...touchable(touching, at)}>
      {children}
    </g>
  );
}

/** A card or another thing beside the picture, touchable likewise. Then it is called what stands on it and what touching it does. */
export function HotCard({ at, children, class: more, label, choice, onTouch }: HotProps & { label: string }): JSX.Element {
  const touching = { choice, onTouch };
  const { "aria-label": does, ...handlers } = touchable(touching, at) ?? { role: "img", "aria-label": undefined };
  const said = does === undefined ? { "aria-label": label } : { "aria-description": label };
  return (
    <div data-at={at} class={heat(touching, at, `card ${more ?? ""}`)} {...handlers} {...said}>
      {children}
      {does !== undefined && <span class="unseen">{does}</span>}
    </div>
  );
}

/** Moves the focus with an arrow key to the nearest element in that direction that can be touched. */
export function steer(event: KeyboardEvent): void {
  const ways: Record<string, readonly [number, number]> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
  };
  const way = ways[event.key];
  const from = document.activeElement;
  if (!way || !(from instanceof Element) || !from.matches("[data-at]")) return;
  const near = nearest(from, [...document.querySelectorAll<HTMLElement>('[data-at][tabindex="0"]')], way);
  if (!near) return;
  event.preventDefault();
  near.focus();
}

function nearest(from: Element, all: readonly HTMLElement[], [dx, dy]: readonly [number, number]): HTMLElement | undefined {
  const [x, y] = middle(from);
  const costs = all.map((one) => {
    const [toX, toY] = middle(one);
    const along = (toX - x) * dx + (toY - y) * dy;
    const aside = Math.abs((toX - x) * dy) + Math.abs((toY - y) * dx);
    return one === from || along <= 1 ? Infinity : along + 2 * aside;
  });
  const best = Math.min(...costs);
  return best === Infinity ? undefined : all[costs.indexOf(best)];
}

function middle(element: Element): readonly [number, number] {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
