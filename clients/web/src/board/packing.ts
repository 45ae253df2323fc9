import type { Box, Size } from "./geometry.js";

/** The space between packed rectangles, in units of the drawing. */
export const GAP = 16;

/** A way to put rectangles beside and below each other. */
interface Arrangement extends Size {
  /** The rectangle, or the two parts with the direction in which the second follows. */
  content: number | { first: Arrangement; second: Arrangement; isBeside: boolean };
}

/** Rectangles in one drawing, each at its place, and the size of the drawing. */
export interface Packed extends Size {
  boxes: readonly Box[];
}

/**
 * Puts rectangles into one drawing, in their order, so that the drawing is as large as possible in a pane. It tries all
 * ways to divide the drawing into rows and columns (a slicing floorplan), and keeps of each part only the arrangements
 * that are narrower or lower than all others.
 */
export function pack(sizes: readonly Size[], pane: Size): Packed {
  if (!sizes.length) return { width: 0, height: 0, boxes: [] };
  const known = new Map<string, readonly Arrangement[]>();
  const best = arrangements(sizes, 0, sizes.length, known).reduce((one, other) => (scaleIn(other, pane) > scaleIn(one, pane) ? other : one));
  const boxes: Box[] = [];
  place(best, 0, 0, boxes);
  return { width: best.width, height: best.height, boxes };
}

/** Returns the scale at which a rectangle fits into a pane. */
export function scaleIn({ width, height }: Size, pane: Size): number {
  return Math.min(pane.width / Math.max(1, width), pane.height / Math.max(1, height));
}

/** Returns the arrangements of the rectangles from one index to before another. */
function arrangements(sizes: readonly Size[], from: number, to: number, known: Map<string, readonly Arrangement[]>): readonly Arrangement[] {
  const key = `${from}-${to}`;
  const found = known.get(key) ?? (to - from === 1 ? [{ ...sizes[from]!, content: from }] : notWorse(divisions(sizes, from, to, known)));
  known.set(key, found);
  return found;
}

function divisions(sizes: readonly Size[], from: number, to: number, known: Map<string, readonly Arrangement[]>): Arrangement[] {
  const found: Arrangement[] = [];
  for (let middle = from + 1; middle < to; middle += 1) {
    for (const first of arrangements(sizes, from, middle, known)) {
      for (const second of arrangements(sizes, middle, to, known)) {
        const [wider, higher] = [Math.max(first.width, second.width), Math.max(first.height, second.height)];
        found.push({ width: first.width + GAP + second.width, height: higher, content: { first, second, isBeside: true } });
        found.push({ width: wider, height: first.height + GAP + second.height, content: { first, second, isBeside: false } });
      }
    }
  }
  return found;
}

/** Removes arrangements that are neither narrower nor lower than another. */
function notWorse(all: readonly Arrangement[]): Arrangement[] {
  const sorted = [...all].sort((one, other) => one.width - other.width || one.height - other.height);
  let lowest = Infinity;
  return sorted.filter(({ height }) => {
    const isLower = height < lowest;
    if (isLower) lowest = height;
    return isLower;
  });
}

/** Writes the boxes of an arrangement at a position. The smaller of two parts is centred on the other. */
function place({ content, width, height }: Arrangement, x: number, y: number, boxes: Box[]): void {
  if (typeof content === "number") {
    boxes[content] = { x, y, width, height };
    return;
  }
  const { first, second, isBeside } = content;
  const centred = (part: Size): readonly [number, number] => (isBeside ? [0, (height - part.height) / 2] : [(width - part.width) / 2, 0]);
  const [firstX, firstY] = centred(first);
  const [secondX, secondY] = centred(second);
  place(first, x + firstX, y + firstY, boxes);
  place(second, x + secondX + (isBeside ? first.width + GAP : 0), y + secondY + (isBeside ? 0 : first.height + GAP), boxes);
}
