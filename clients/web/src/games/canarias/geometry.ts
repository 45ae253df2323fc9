import type { canarias } from "skerry-client";

/** The side of a square, in SVG units. */
export const SIDE = 48;

/** Returns the centre of a square. The centre of "B3" is 2.5 sides from the left and 1.5 sides from the top. */
export function middleOf(square: string): { x: number; y: number } {
  const row = square.charCodeAt(0) - "A".charCodeAt(0);
  return { x: (Number(square.slice(1)) - 0.5) * SIDE, y: (row + 0.5) * SIDE };
}

/** Returns all squares of an island, with village and farmland. */
export function landOf({ squares, village, farmland }: canarias.Island): string[] {
  return [...squares, ...village, ...farmland];
}

/** Returns the view box of an island, with water around it. */
export function boundsOf(island: canarias.Island): string {
  const places = landOf(island).map(middleOf);
  const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
  const around = SIDE / 2 + 18;
  const [left, top] = [Math.min(...xs) - around, Math.min(...ys) - around];
  return `${left} ${top} ${Math.max(...xs) + around - left} ${Math.max(...ys) + around - top}`;
}

/** Returns a border as an SVG path. */
export function lineOf({ points }: canarias.Border): string {
  return points.map(({ x, y }, place) => `${place ? "L" : "M"}${x * SIDE} ${y * SIDE}`).join("");
}

/** Returns the positions of mountains along a border: three per side of a square. */
export function peaksOf({ points }: canarias.Border): { x: number; y: number }[] {
  return points.slice(1).flatMap((to, place) => {
    const from = points[place]!;
    return [1, 3, 5].map((sixth) => ({
      x: (from.x + ((to.x - from.x) * sixth) / 6) * SIDE,
      y: (from.y + ((to.y - from.y) * sixth) / 6) * SIDE,
    }));
  });
}
