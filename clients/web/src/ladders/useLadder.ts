import { type api, SkerryError } from "skerry-client";
import { getLadder, listLadderGames } from "skerry-client/ladders";
import { usePolling } from "../polling.js";
import { client } from "../server.js";

/** A ladder as it was read. */
export interface LadderReading {
  ladder: api.Ladder;
  season: number;
  standings: readonly api.Standing[];
  /** Whether rows were left out. */
  hasMore: boolean;
  /** The number of results that the ratings follow from. */
  results: number;
  /** The games in play, and the latest ones. */
  games: readonly api.LadderGame[];
}

const PAUSE_MS = 8_000;
const PAGE = 100;
const GAMES = 12;
/** What was read last, so that the way back from a replay shows the ladder at once. */
const known = new Map<string, LadderReading>();

/**
 * Polls a ladder while the page is visible. `season` 0: the present one. `rows`: how many to read. Returns `undefined`
 * until it is read, and `null` if there is no such ladder or season.
 */
export function useLadder(name: string, season: number, rows: number): LadderReading | null | undefined {
  const key = `${name}/${season}`;
  const read = async (signal: AbortSignal): Promise<{ key: string; reading: LadderReading | null }> => {
    try {
      const [table, { games }] = await Promise.all([
        readStandings(name, season, rows, signal),
        listLadderGames(client, name, { season, pageSize: GAMES, signal }),
      ]);
      const reading = { ...table, games };
      known.set(key, reading);
      return { key, reading };
    } catch (error) {
      // An address can also have an id or a season that no ladder can have.
      if (error instanceof SkerryError && (error.is("LADDER_NOT_FOUND") || error.is("INVALID_FIELD"))) return { key, reading: null };
      throw error;
    }
  };
  const found = usePolling(read, { key: `${key}/${rows}`, pauseMs: PAUSE_MS, isDone: ({ reading }) => !reading });
  return found?.key === key ? found.reading : known.get(key);
}

async function readStandings(name: string, season: number, rows: number, signal: AbortSignal): Promise<Omit<LadderReading, "games">> {
  const standings: api.Standing[] = [];
  for (let pageToken = ""; ; ) {
    const page = await getLadder(client, name, { season, pageSize: PAGE, pageToken: pageToken || undefined, signal });
    standings.push(...page.standings);
    pageToken = page.nextPageToken;
    if (pageToken && standings.length < rows) continue;
    return { ladder: page.ladder, season: page.season, standings, hasMore: pageToken !== "", results: Number(page.games) };
  }
}
