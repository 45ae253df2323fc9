import { type api, SkerryError } from "skerry-client";
import { enterTournament, getTournament, leaveTournament, listTournamentGames } from "skerry-client/tournaments";
import { client } from "../server.js";
import { openSession } from "../session/openSession.js";
import { storedSession, storePlayerName, storeSession } from "../storage.js";
import { forgetEntry, storedEntry, storeEntry } from "./storedEntry.js";

/** A game of this browser's entrant. */
export interface OwnGame {
  /** `sessions/{id}`. */
  session: string;
  /** The names of the other players. */
  opponents: string[];
  /** Whether it is this player's turn. */
  isMine: boolean;
}

/** The most games in which the page looks whose turn it is. */
const LOOKS = 8;
const PAGE = 100;

/**
 * Enters this browser's player, unless it has entered in another tab. The entry is stored first, so that it is not lost
 * with the response: the next call, even with another name, returns it.
 */
export async function enter(tournament: string, name: string, joinCode: string | undefined): Promise<void> {
  const before = storedEntry(tournament);
  if (before?.token && (await hasEntrant(tournament, before.number))) return;
  const unanswered = before?.token ? undefined : before;
  const requestId = unanswered?.requestId ?? client.calls.newId();
  const names = [...new Set([name, ...(unanswered ? [unanswered.name, ...(unanswered.earlier ?? [])] : [])])];
  storeEntry(tournament, { name, earlier: names.slice(1), requestId });
  for (const [at, one] of names.entries()) {
    try {
      const { entrant: number, entrantToken: token } = await enterTournament(client, tournament, one, { requestId, joinCode });
      storeEntry(tournament, { name: one, requestId, number, token });
      return storePlayerName(one);
    } catch (error) {
      const hasOtherName = error instanceof SkerryError && error.is("REQUEST_ID_REUSED");
      if (!hasOtherName || at === names.length - 1) throw error;
    }
  }
}

async function hasEntrant(name: string, number: number | undefined): Promise<boolean> {
  const { tournament } = await getTournament(client, name);
  return tournament.entrants.some((one) => one.number === number);
}

/** Takes this browser's entrant out. */
export async function leave(tournament: string, token: string): Promise<void> {
  try {
    await leaveTournament(client, tournament, token);
  } catch (error) {
    if (!isInvalid(error)) throw error; // It has left already.
  }
  forgetEntry(tournament);
}

/** Returns the games in play of this browser's entrant, and stores their seats. Removes an entry that is no longer valid. */
export async function readOwnGames(tournament: string, game: string, signal: AbortSignal): Promise<OwnGame[]> {
  const { number: entrant, token: entrantToken } = storedEntry(tournament) ?? {};
  if (!entrant || !entrantToken) return [];
  try {
    const { games } = await listTournamentGames(client, tournament, { entrant, entrantToken, playing: true, pageSize: PAGE, signal });
    return await Promise.all(games.map((one, at) => ownGame(one, game, entrant, at < LOOKS ? signal : undefined)));
  } catch (error) {
    if (!isInvalid(error)) throw error;
    forgetEntry(tournament);
    return [];
  }
}

/** `signal`: of the call that looks whose turn it is. Absent: it does not look. */
async function ownGame({ session, seats }: api.TournamentGame, game: string, entrant: number, signal: AbortSignal | undefined): Promise<OwnGame> {
  const seatToken = seats.find((seat) => seat.seatToken)?.seatToken;
  if (seatToken && !storedSession(session)?.seatToken) storeSession({ session, game, seatToken });
  const opponents = seats.filter((seat) => seat.entrant !== entrant).map(({ displayName }) => displayName);
  return { session, opponents, isMine: signal !== undefined && (await isOwnTurn(session, signal)) };
}

/** Whether it is this player's turn. `false` if the session cannot be read: the others are shown all the same. */
async function isOwnTurn(session: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { position, seat } = await (await openSession(session, signal)).read({ signal });
    return seat !== undefined && (position?.toAct.includes(seat) ?? false);
  } catch (error) {
    if (signal.aborted) throw error;
    return false;
  }
}

function isInvalid(error: unknown): boolean {
  return error instanceof SkerryError && error.is("TOKEN_INVALID");
}
