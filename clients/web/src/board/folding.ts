import type { api } from "skerry-client";
import type { Box, Point } from "./geometry.js";

/** The space between the rows of a folded area, in its units. */
const BETWEEN = 8;
/** The most rows into which an area is folded. */
const MOST_ROWS = 5;

/** How an area is folded into rows: what lies right of a cut lies in the next row. */
export interface Fold {
  /** Where the second row and the following rows begin, from left to right. */
  cuts: readonly number[];
  /** Where all rows begin after folding. */
  left: number;
  /** From one row to the next. */
  down: number;
}

/** Returns where a point of an area lies when the area is folded. */
export function foldedPoint({ x, y }: Point, { cuts, left, down }: Fold): Point {
  const row = cuts.filter((cut) => x >= cut).length;
  return row ? { x: x - cuts[row - 1]! + left, y: y + down * row } : { x, y };
}

/**
 * Returns the ways to fold an area between the boxes of its pieces: into two rows, and into more, each as narrow as possible.
 * Boxes above each other stay together.
 */
export function foldsOf(boxes: readonly Box[]): Fold[] {
  const columns = columnsOf(boxes);
  const left = columns[0]?.from ?? 0;
  const top = Math.min(...boxes.map(({ y }) => y));
  const down = Math.max(...boxes.map(({ y, height }) => y + height)) - top + BETWEEN;
  const narrowest = new Map<number, number[]>();
  const widths = columns.flatMap(({ from }, place) => columns.slice(place).map(({ to }) => to - from));
  for (const width of widths.sort((one, other) => other - one)) {
    const cuts = cutsFor(columns, width);
    if (cuts?.length && cuts.length < MOST_ROWS) narrowest.set(cuts.length, cuts);
  }
  return [...narrowest.values()].map((cuts) => ({ cuts, left, down }));
}

/** A part of an area that is not cut. */
interface Column {
  from: number;
  to: number;
}

function columnsOf(boxes: readonly Box[]): Column[] {
  const columns: Column[] = [];
  for (const { x, width } of [...boxes].sort((one, other) => one.x - other.x)) {
    const last = columns.at(-1);
    if (last && x < last.to) last.to = Math.max(last.to, x + width);
    else columns.push({ from: x, to: x + width });
  }
  return columns;
}

/** Returns where rows of at most a width begin, without the first. `undefined` if a column is wider. */
function cutsFor(columns: readonly Column[], width: number): number[] | undefined {
  const cuts: number[] = [];
  let begin = columns[0]!.from;
  for (const { from, to } of columns) {
    if (to - from > width) return undefined;
    if (to - begin <= width) continue;
    cuts.push(from);
    begin = from;
  }
  return cuts;
}

/** Returns an area with its places and pieces folded. */
export function foldedArea(area: api.SceneArea, pieces: readonly api.ScenePiece[], fold: Fold): { area: api.SceneArea; pieces: api.ScenePiece[] } {
  const move = <Placed extends Point>(one: Placed): Placed => ({ ...one, ...foldedPoint(one, fold) });
  const height = area.height + fold.down * fold.cuts.length;
  return { area: { ...area, height, places: area.places.map(move) }, pieces: pieces.map(move) };
}
