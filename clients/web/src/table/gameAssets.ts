import type { api } from "skerry-client";
import { useEffect, useState } from "preact/hooks";
import { client } from "../server.js";
import { useLanguage } from "../texts/language.js";

/** The parts of a game that are the same in every session. */
export interface GameAssets {
  game: api.Game;
  /** The drawings of its pieces, by id. */
  symbols: ReadonlyMap<string, api.SceneSymbol>;
}

/** The progress of loading a game's assets. */
interface AssetsState {
  assets: GameAssets | undefined;
  /** The server's error, if it refused the game. */
  refused: unknown;
}

/** Loads the game from the server. */
export function useGameAssets(name: string | undefined): AssetsState {
  const [known, setKnown] = useState<AssetsState>({ assets: undefined, refused: undefined });
  const spoken = useLanguage();
  useEffect(() => {
    if (name === undefined) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    client.game(name, { signal }).then(
      (game) => setKnown({ assets: { game, symbols: new Map(game.symbols.map((symbol) => [symbol.id, symbol])) }, refused: undefined }),
      (error: unknown) => signal.aborted || setKnown({ assets: undefined, refused: error }),
    );
    return () => ending.abort();
  }, [name, spoken]);
  return known;
}
