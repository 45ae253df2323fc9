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

/** Loads the game of a session from the server, with the session's edition. */
export function useGameAssets(session: api.Session | undefined): AssetsState {
  const [known, setKnown] = useState<AssetsState>({ assets: undefined, refused: undefined });
  const spoken = useLanguage();
  const name = session?.game;
  const edition = session && editionOf(session);
  useEffect(() => {
    if (name === undefined) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    client.game(name, { edition, signal }).then(
      (game) => setKnown({ assets: { game, symbols: new Map(game.symbols.map((symbol) => [symbol.id, symbol])) }, refused: undefined }),
      (error: unknown) => signal.aborted || setKnown({ assets: undefined, refused: error }),
    );
    return () => ending.abort();
  }, [name, edition, spoken]);
  return known;
}

/** Returns the edition of a session: the components with which it is played. */
export const editionOf = ({ options }: api.Session): string | undefined => Object.values(options)[0]?.edition;
