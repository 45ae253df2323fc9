import { usePolling } from "../polling.js";
import { client } from "../server.js";
import { useLanguage } from "../texts/language.js";

/** Returns a function that returns the title of a game, or its id until the titles are read. */
export function useGameTitles(): (game: string) => string {
  const games = usePolling((signal) => client.games({ signal }), { isDone: () => true, key: useLanguage() });
  return (game) => games?.find(({ id }) => id === game)?.title ?? game;
}
