import type { JSX } from "preact";

/** A variant that the lobby offers. The server decides which combinations are valid. */
export interface Variant {
  field: string;
  label: string;
  /** The choices. The first is the game's default, for which nothing is sent. */
  values: readonly { value: unknown; label: string }[];
  /** The number of seats that the variant is for. Absent: any number. */
  seats?: number;
}

/** What a game adds to the lobby, in the file `lobby.tsx` of its folder. */
export interface GameLobby {
  /** A short description. */
  blurb: string;
  /** The emblem, 72 units wide and 48 high. The sea below is drawn for every game. */
  emblem: JSX.Element;
  variants: readonly Variant[];
}

const FOUND = import.meta.glob<GameLobby>("./*/lobby.tsx", { eager: true, import: "lobby" });

/** Returns what a game adds to the lobby. Returns `undefined` for a game without a folder here. */
export function lobbyOf(game: string): GameLobby | undefined {
  return FOUND[`./${game}/lobby.tsx`];
}
