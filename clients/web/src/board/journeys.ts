import type { api } from "skerry-client";

type Piece = api.ScenePiece;

/** The way of a piece from one position to the next. */
export interface Journey {
  piece: Piece;
  /** The piece of the position before from whose place it comes. Absent: it appears where it is. */
  from: Piece | undefined;
}

/**
 * Returns the pieces of a position that are not as they were before. A piece with the same id comes from where it was. Any
 * other new piece comes from the nearest place that a piece with the same symbol and owner has left.
 */
export function journeysOf(before: readonly Piece[], after: readonly Piece[]): Journey[] {
  const known = new Map(before.map((piece) => [piece.id, piece]));
  const counts = new Map(after.map(({ id, count }) => [id, count]));
  // A stack that has become smaller counts as pieces that have left it.
  const left = before.flatMap((piece) => Array<Piece>(Math.max(0, piece.count - (counts.get(piece.id) ?? 0))).fill(piece));
  return after.flatMap((piece) => {
    const same = known.get(piece.id);
    if (!same) return [{ piece, from: takeNearest(left, piece) }];
    return isElsewhere(same, piece) ? [{ piece, from: same }] : [];
  });
}

/** How long a piece takes to turn, and the most from the first to the last one that turns, in milliseconds. */
export const [TURN_MS, TURNS_MS] = [200, 1000];

/** The turn of a piece that lies where it lay before and shows another side. */
export interface Turn {
  piece: Piece;
  before: Piece;
  /** When it begins, in milliseconds. */
  delay: number;
}

/** Returns the pieces of a position that have been turned. They turn one after the other, in the order of drawing. */
export function turnsOf(before: readonly Piece[], after: readonly Piece[]): Turn[] {
  const known = new Map(before.map((piece) => [piece.id, piece]));
  const turned = after.flatMap((piece): Omit<Turn, "delay">[] => {
    const same = known.get(piece.id);
    return same && same.symbol !== piece.symbol && !isElsewhere(same, piece) ? [{ piece, before: same }] : [];
  });
  const apart = Math.min(TURN_MS, TURNS_MS / Math.max(1, turned.length - 1));
  return turned.map((turn, place) => ({ ...turn, delay: place * apart }));
}

function isElsewhere(one: Piece, other: Piece): boolean {
  return one.area !== other.area || one.x !== other.x || one.y !== other.y || one.rotation !== other.rotation;
}

/** Removes and returns the nearest of the pieces that look like a piece. Those of the same area are nearer than all others. */
function takeNearest(left: Piece[], piece: Piece): Piece | undefined {
  const far = (one: Piece | undefined): number => {
    if (!one || one.symbol !== piece.symbol || one.owner !== piece.owner) return Infinity;
    return Math.hypot(one.x - piece.x, one.y - piece.y) + (one.area === piece.area ? 0 : 1e6);
  };
  const nearest = left.reduce((best, one, place) => (far(one) < far(left[best]) ? place : best), -1);
  return nearest < 0 ? undefined : left.splice(nearest, 1)[0];
}
