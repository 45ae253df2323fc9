const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Returns the elements on the board and in the hand that can be selected next. */
export function litElements(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('.board .selectable[tabindex="0"]')];
}

/** Returns the element to which an arrow key leads: the nearest in its direction, or the first one from elsewhere. */
export function arrowTarget(key: string, from: Element | null): HTMLElement | undefined {
  const direction = DIRECTIONS[key];
  if (!direction) return undefined;
  const all = litElements();
  return from?.matches("[data-id]") ? nearest(from, all, direction) : all[0];
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
