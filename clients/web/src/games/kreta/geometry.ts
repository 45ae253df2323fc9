import type { kreta } from "skerry-client";

type Point = kreta.Point;

/** Returns the centroid of a province, where its name is drawn. */
export function middle({ polygon }: kreta.Province): Point {
  let area = 0;
  let x = 0;
  let y = 0;
  polygon.forEach((a, place) => {
    const b = polygon[(place + 1) % polygon.length]!;
    const cross = a.x * b.y - b.x * a.y;
    area += cross;
    x += (a.x + b.x) * cross;
    y += (a.y + b.y) * cross;
  });
  return { x: x / (3 * area), y: y / (3 * area) };
}

/** Returns an outline as the `points` of an SVG polygon. */
export function outline(polygon: readonly Point[]): string {
  return polygon.map(({ x, y }) => `${x},${y}`).join(" ");
}

/** Returns where a province's ships lie: beside the middle of its longest side that borders no other province. */
export function quay(board: kreta.Board, province: kreta.Province): { shore: Point; water: Point } {
  const shared = new Set(
    board.provinces.filter(({ id }) => id !== province.id).flatMap(({ polygon }) => sides(polygon).map(sideKey)),
  );
  const [longest] = sides(province.polygon)
    .filter((side) => !shared.has(sideKey(side)))
    .sort((one, other) => length(other) - length(one));
  const [a, b] = longest ?? [middle(province), middle(province)];
  const shore = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  const inland = middle(province);
  const [dx, dy] = [shore.x - inland.x, shore.y - inland.y];
  const far = 26 / (Math.hypot(dx, dy) || 1);
  return { shore, water: { x: shore.x + dx * far, y: shore.y + dy * far } };
}

type Side = readonly [Point, Point];

function sides(polygon: readonly Point[]): Side[] {
  return polygon.map((point, place) => [point, polygon[(place + 1) % polygon.length]!]);
}

function sideKey([a, b]: Side): string {
  return [`${a.x},${a.y}`, `${b.x},${b.y}`].sort().join(" ");
}

function length([a, b]: Side): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
