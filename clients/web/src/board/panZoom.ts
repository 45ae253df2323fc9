import type { Box, Point, Size } from "./geometry.js";
import { scaleIn } from "./packing.js";

/** How a drawing lies in its pane: a point p of the drawing is shown at `scale * p + (x, y)`, in pixels. */
export interface View {
  x: number;
  y: number;
  scale: number;
}

/** The space between the drawing and the edge of its pane, in pixels. */
export const EDGE = 6;
/** The smallest side of a touch target, in pixels. */
export const TOUCH = 44;
/** A drawing is never fitted larger than this. Zooming goes further. */
const MAX_FIT = 2.4;
/** How much larger than fitted a drawing can be. */
const MAX_ZOOM = 5;

/** Returns the view that shows a whole drawing, centred. */
export function fit(content: Box, pane: Size): View {
  const inner = { width: pane.width - 2 * EDGE, height: pane.height - 2 * EDGE };
  return centredOn(content, Math.max(0.01, Math.min(MAX_FIT, scaleIn(content, inner))), pane);
}

function centredOn({ x, y, width, height }: Box, scale: number, pane: Size): View {
  return { x: pane.width / 2 - scale * (x + width / 2), y: pane.height / 2 - scale * (y + height / 2), scale };
}

/** Returns a view moved by some pixels. */
export function pan(view: View, dx: number, dy: number, content: Box, pane: Size): View {
  return clamp({ ...view, x: view.x + dx, y: view.y + dy }, content, pane);
}

/** Returns a view that is enlarged around a point of the pane, which stays where it is. */
export function zoom(view: View, factor: number, { x, y }: Point, content: Box, pane: Size): View {
  const least = fit(content, pane).scale;
  const scale = Math.min(Math.max(view.scale * factor, least), least * MAX_ZOOM);
  const grown = scale / view.scale;
  return clamp({ x: x - grown * (x - view.x), y: y - grown * (y - view.y), scale }, content, pane);
}

/** Keeps the drawing in the pane: centred where it is smaller than the pane, without empty space where it is larger. */
function clamp({ x, y, scale }: View, content: Box, pane: Size): View {
  const along = (offset: number, from: number, length: number, room: number): number => {
    const [first, last] = [EDGE - scale * from, room - EDGE - scale * (from + length)];
    return last > first ? (first + last) / 2 : Math.min(first, Math.max(last, offset));
  };
  return { x: along(x, content.x, content.width, pane.width), y: along(y, content.y, content.height, pane.height), scale };
}

/** Something to select, and the side of its touch area at scale 1. */
export interface Target extends Box {
  side: number;
}

/**
 * Returns the view in which all targets are inside the pane, and no smaller than a thumb where that is possible. It is the
 * given view if that fulfils both.
 */
export function reveal(view: View, targets: readonly Target[], pane: Size, least: number): View {
  if (!targets.length) return view;
  const wanted = Math.max(view.scale, least / Math.min(...targets.map(({ side }) => side)));
  const scale = largestScale(targets, pane, least, Math.min(wanted, view.scale * MAX_ZOOM));
  const needed = around(targets, scale, least);
  const middle = { x: (pane.width / 2 - view.x) / view.scale, y: (pane.height / 2 - view.y) / view.scale };
  const kept = scale === view.scale ? view : { x: pane.width / 2 - scale * middle.x, y: pane.height / 2 - scale * middle.y };
  const along = (offset: number, from: number, length: number, room: number): number =>
    Math.min(Math.max(offset, EDGE - scale * from), room - EDGE - scale * (from + length));
  return { x: along(kept.x, needed.x, needed.width, pane.width), y: along(kept.y, needed.y, needed.height, pane.height), scale };
}

/** Returns the largest scale, up to a limit, at which all targets with their touch areas fit into a pane. */
function largestScale(targets: readonly Target[], pane: Size, least: number, limit: number): number {
  const fits = (scale: number): boolean => {
    const { width, height } = around(targets, scale, least);
    return scale * width <= pane.width - 2 * EDGE && scale * height <= pane.height - 2 * EDGE;
  };
  if (fits(limit)) return limit;
  let [low, high] = [0, limit];
  for (let step = 0; step < 20; step += 1) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low || limit / 2 ** 20;
}

/** Returns the box around all targets with their touch areas. */
function around(targets: readonly Target[], scale: number, least: number): Box {
  return targets.map((target) => withTouchArea(target, scale, least)).reduce(union);
}

/** Returns the box of a target, with a touch area of at least so many pixels. */
function withTouchArea({ x, y, width, height }: Box, scale: number, least: number): Box {
  const [wide, high] = [Math.max(width, least / scale), Math.max(height, least / scale)];
  return { x: x - (wide - width) / 2, y: y - (high - height) / 2, width: wide, height: high };
}

function union(one: Box, other: Box): Box {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  const right = Math.max(one.x + one.width, other.x + other.width);
  const bottom = Math.max(one.y + one.height, other.y + other.height);
  return { x, y, width: right - x, height: bottom - y };
}
