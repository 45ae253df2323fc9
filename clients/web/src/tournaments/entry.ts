import { type api, SkerryError } from "skerry-client";
import { enterTournament, leaveTournament, listTournamentGames } from "skerry-client/tournaments";
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

/** Enters this browser's player. The entry is stored first, so that it is not lost with the response. */
export async function enter(tournament: string, name: string, joinCode: string | undefined): Promise<void> {
  const before = storedEntry(tournament);
  const requestId = before?.name === name ? before.requestId : client.calls.newId();
  storeEntry(tournament, { name, requestId });
  const { entrant: number, entrantToken: token } = await enterTournament(client, tournament, name, { requestId, joinCode });
  storeEntry(tournament, { name, requestId, number, token });
  storePlayerName(name);
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
  const { position, seat } = signal ? await (await openSession(session, signal)).read({ signal }) : {};
  return { session, opponents, isMine: seat !== undefined && (position?.toAct.includes(seat) ?? false) };
}

function isInvalid(error: unknown): boolean {
  return error instanceof SkerryError && error.is("TOKEN_INVALID");
}
