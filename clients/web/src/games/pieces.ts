import { useRef } from "preact/hooks";

/** A piece on a board: what it is, and where. Pieces of one kind are alike. */
export interface Piece {
  kind: string;
  /** The name of its place. */
  place: string;
}

type Placed = readonly { id: string; place: string }[];

/**
 * Gives every piece a key that it keeps while it is moved, so that it travels instead of vanishing: pieces that stayed
 * keep theirs, and those that left a place take those of the same kind that came to another.
 */
export function useKeys<P extends Piece>(pieces: readonly P[]): readonly (P & { id: string })[] {
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

/** Returns where a piece is drawn, as a style that travels. */
export function at(x: number, y: number): { transform: string } {
  return { transform: `translate(${x}px, ${y}px)` };
}
