import type { JSX } from "preact";

/** A variant that the lobby offers, with the ids of its texts. The server decides which combinations are valid. */
export interface Variant {
  field: string;
  label: string;
  /** The choices. The first is the game's default, for which nothing is sent. */
  values: readonly { value: unknown; label: string }[];
  /** The number of seats that the variant is for. Absent: any number. */
  seats?: number;
}

/** What a game can add to the lobby, in the file of its name. A game without one is played all the same. */
export interface GameExtras {
  /** The id of a short description. */
  blurb: string;
  /** The emblem, 72 units wide and 48 high. The sea below is drawn for every game. */
  emblem: JSX.Element;
  variants: readonly Variant[];
}

const FOUND = import.meta.glob<GameExtras>("./*.tsx", { eager: true, import: "extras" });

/** Returns what a game adds to the page. Returns `undefined` for a game that adds nothing. */
export function extrasOf(game: string): GameExtras | undefined {
  return FOUND[`./${game}.tsx`];
}
