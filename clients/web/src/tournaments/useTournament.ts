import { type api, SkerryError } from "skerry-client";
import { getTournament, listTournamentGames } from "skerry-client/tournaments";
import { usePolling } from "../polling.js";
import { client } from "../server.js";
import { forgetEntrantToken } from "./storedEntry.js";

/** A tournament as it was read. */
export interface TournamentReading extends api.GetTournamentResponse {
  /** The games in play, and the latest ones. */
  games: readonly api.TournamentGame[];
}

const PAUSE_MS = 8_000;
const GAMES = 40;
/** What was read last, so that the way back from a game shows the tournament at once. */
const known = new Map<string, TournamentReading>();

/**
 * Polls a tournament while the page is visible, until it is over. A change of `version` reads it at once. Returns
 * `undefined` until it is read, and `null` if there is none.
 */
export function useTournament(name: string, version: number): TournamentReading | null | undefined {
  const read = async (signal: AbortSignal): Promise<{ reading: TournamentReading | null }> => {
    try {
      const [response, { games }] = await Promise.all([
        getTournament(client, name, { signal }),
        listTournamentGames(client, name, { pageSize: GAMES, signal }),
      ]);
      const reading = { ...response, games };
      known.set(name, reading);
      if (isOver(reading)) forgetEntrantToken(name);
      return { reading };
    } catch (error) {
      // An address can also have an id that no tournament can have.
      if (error instanceof SkerryError && (error.is("TOURNAMENT_NOT_FOUND") || error.is("INVALID_FIELD"))) return { reading: null };
      throw error;
    }
  };
  const found = usePolling(read, { key: version, pauseMs: PAUSE_MS, isDone: ({ reading }) => !reading || isOver(reading) });
  return found ? found.reading : known.get(name);
}

/** Whether nothing changes any more. */
function isOver({ tournament: { state }, gamesPlaying }: TournamentReading): boolean {
  return (state === "TOURNAMENT_STATE_FINISHED" || state === "TOURNAMENT_STATE_CANCELLED") && !gamesPlaying;
}
