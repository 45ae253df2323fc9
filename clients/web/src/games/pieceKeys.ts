import { useRef } from "preact/hooks";

/** A piece on a board. Pieces of the same kind look alike. */
export interface Piece {
  kind: string;
  /** The name of its place. */
  place: string;
}

type Placed = readonly { id: string; place: string }[];

/**
 * Gives every piece a stable key, so that a moved piece is animated instead of redrawn. Pieces that stayed keep their keys.
 * A piece that appeared at a new place takes the key of a piece of the same kind that left its place.
 */
export function usePieceKeys<P extends Piece>(pieces: readonly P[]): readonly (P & { id: string })[] {
  const known = useRef(new Map<string, Placed>());
  const counts = useRef(0);
  const kinds = new Map<string, P[]>();
  for (const piece of pieces) kinds.set(piece.kind, [...(kinds.get(piece.kind) ?? []), piece]);
  const keyed = [...kinds].flatMap(([kind, alike]) => {
    const left = [...(known.current.get(kind) ?? [])];
    const take = (place: string): string | undefined => {
      const at = left.findIndex((one) => one.place === place);
      return at < 0 ? undefined : left.splice(at, 1)[0]?.id;
    };
    const stayed = alike.map((piece) => ({ ...piece, id: take(piece.place) }));
    return stayed.map((piece) => ({ ...piece, id: piece.id ?? left.shift()?.id ?? `${kind}/${++counts.current}` }));
  });
  known.current = new Map([...kinds.keys()].map((kind) => [kind, keyed.filter((piece) => piece.kind === kind)]));
  return keyed;
}

/** Returns the style that draws a piece at a point. Changes are animated. */
export function at(x: number, y: number): { transform: string } {
  return { transform: `translate(${x}px, ${y}px)` };
}
