import type { Box } from "./geometry.js";
import type { Layout } from "./layOut.js";
import type { TargetOnScreen } from "./nearestTarget.js";
import type { Target } from "./panZoom.js";

const OPEN = ".selectable, .selected";

/** Returns the elements of a pane that can be selected, in the coordinates of its drawing. */
export function targetsIn(pane: HTMLElement, { areas }: Layout): Target[] {
  return areas.flatMap(({ area, box, caption }) => {
    const svg = pane.querySelector<SVGSVGElement>(`svg[data-area="${CSS.escape(area.id)}"]`);
    return [...(svg?.querySelectorAll<SVGGElement>(OPEN) ?? [])].map((element) => {
      const { x, y, width, height } = boxOf(element);
      const side = Number(element.querySelector<SVGElement>("[data-side]")?.dataset["side"] ?? Math.min(width, height));
      return { x: box.x + x, y: box.y + caption + y, width, height, side };
    });
  });
}

/** Returns the box of an element in the picture of its area, without the part of its touch area that grows as it shrinks. */
function boxOf(element: SVGGElement): Box {
  const matrix = element.getCTM() ?? new DOMMatrix();
  const parts = [...element.querySelectorAll<SVGGraphicsElement>(":scope > :not(.reach, title)")].map((part) => part.getBBox());
  const reach = element.querySelector<SVGRectElement>(":scope > .reach");
  if (reach) parts.push(naturalBox(reach));
  const x = Math.min(...parts.map((part) => part.x));
  const y = Math.min(...parts.map((part) => part.y));
  const right = Math.max(...parts.map((part) => part.x + part.width));
  const bottom = Math.max(...parts.map((part) => part.y + part.height));
  const corners = [[x, y], [right, y], [x, bottom], [right, bottom]].map(([left, top]) => new DOMPoint(left, top).matrixTransform(matrix));
  const [xs, ys] = [corners.map((corner) => corner.x), corners.map((corner) => corner.y)];
  return { x: Math.min(...xs), y: Math.min(...ys), width: Math.max(...xs) - Math.min(...xs), height: Math.max(...ys) - Math.min(...ys) };
}

function naturalBox(reach: SVGRectElement): DOMRect {
  const { x, y, width, height } = reach.getBBox();
  const side = Number(reach.dataset["side"] ?? 0);
  return new DOMRect(x + (width - side) / 2, y + (height - side) / 2, side, side);
}

/** Returns the touch areas of the elements of a pane that can be selected, in pixels of the window. */
export function targetsOnScreen(pane: HTMLElement): TargetOnScreen[] {
  return [...pane.querySelectorAll<SVGElement>(OPEN)].map((element) => {
    const { x, y, width, height } = (element.querySelector(".reach, .edge") ?? element).getBoundingClientRect();
    return { id: element.dataset["id"]!, x, y, width, height };
  });
}
