const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const SELECTABLE = '.board .selectable[tabindex="0"]';
const ALL = ".board [data-id]";

/**
 * Returns the element to which an arrow key leads: the nearest in its direction, or the first one from elsewhere. With
 * Shift, elements that cannot be selected count, too.
 */
export function arrowTarget({ key, shiftKey }: KeyboardEvent, from: Element | null): HTMLElement | undefined {
  const direction = DIRECTIONS[key];
  if (!direction) return undefined;
  const all = [...document.querySelectorAll<HTMLElement>(shiftKey ? ALL : SELECTABLE)];
  return from?.matches("[data-id]") ? nearest(from, all, direction) : all[0];
}

/** Gives an element the focus. An element that cannot be selected stays out of the order of Tab. */
export function focusOn(element: HTMLElement): void {
  if (!element.hasAttribute("tabindex")) element.setAttribute("tabindex", "-1");
  element.focus({ preventScroll: true });
}

/** Whether an element of the board has the focus that cannot be selected. */
export function isDark(element: Element | null): element is HTMLElement {
  return element?.matches(`${ALL}:not([tabindex="0"])`) ?? false;
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
  return best === Infinity ? undefined : all[costs.lastIndexOf(best)]; // the uppermost one
}

function middle(element: Element): readonly [number, number] {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
