import type { api } from "skerry-client";

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

/** A rectangle. */
export interface Box extends Point, Size {}

/** Half the side of the largest touch area of a place. */
export const MAX_REACH = 48;

/** Returns the part of an area around these boxes. Without any, the whole area. */
export function partAround({ width, height }: Size, boxes: readonly Box[]): Box {
  if (!boxes.length) return { x: 0, y: 0, width, height };
  const x = Math.max(0, Math.min(...boxes.map((box) => box.x)));
  const y = Math.max(0, Math.min(...boxes.map((box) => box.y)));
  const right = Math.min(width, Math.max(...boxes.map((box) => box.x + box.width)));
  const bottom = Math.min(height, Math.max(...boxes.map((box) => box.y + box.height)));
  return { x, y, width: right - x, height: bottom - y };
}

/** Whether the middle of a place is in a part of its area. */
export function isIn({ x, y, width, height }: Box, place: api.ScenePlace): boolean {
  return place.x >= x && place.y >= y && place.x <= x + width && place.y <= y + height;
}

/** Whether a place has a printed outline, and not only text. */
export function hasOutline({ drawing }: api.ScenePlace): boolean {
  return /<(?:rect|circle|ellipse|polygon|path)\b/.test(drawing);
}

/**
 * Returns half the side of the touch areas of places: half the distance that most places have to their nearest neighbour.
 * So touch areas on a grid fill its squares.
 */
export function reachOf(places: readonly api.ScenePlace[]): number {
  const nearest = places.map(({ x, y }, place) =>
    Math.min(...places.map((one, other) => (other === place ? Infinity : Math.max(Math.abs(one.x - x), Math.abs(one.y - y))))),
  );
  const median = nearest.sort((one, other) => one - other)[Math.floor(nearest.length / 2)] ?? Infinity;
  return Math.min(MAX_REACH, Math.max(14, median / 2 - 2));
}
