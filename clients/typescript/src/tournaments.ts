/** The calls about tournaments. Functions and not methods of `Client`, so that only programs that use them load them. */
import { type CallOptions, query } from "./calls.js";
import type { Client } from "./client.js";
import type * as api from "./generated/api.js";

/** Which page of a list is read. */
export interface TournamentPageOptions extends CallOptions {
  /** 1 to 100. Absent: the server's default. */
  pageSize?: number | undefined;
  /** `nextPageToken` of the previous page, with the same filters. */
  pageToken?: string | undefined;
}

/** Which games of a tournament are read. */
export interface TournamentGamesOptions extends TournamentPageOptions {
  /** Only games of this entrant, by number. Absent: all. */
  entrant?: number | undefined;
  /** Only games in play. */
  playing?: boolean | undefined;
  /** The token of an entrant, who receives the seat tokens of the games in play. */
  entrantToken?: string | undefined;
}

/** How a person enters a tournament. */
export interface EntryOptions extends CallOptions {
  /** Your own id of the person, who enters a tournament once. */
  playerId?: string | undefined;
  /** Required if `Tournament.joinCodeRequired` is set. */
  joinCode?: string | undefined;
  /** A random UUID. A repeat with the same one returns the same token. Absent: a new one. */
  requestId?: string | undefined;
}

/** Reads a page of the tournaments: those that are open or have games in play first. */
export function listTournaments(client: Client, { signal, ...page }: TournamentPageOptions = {}): Promise<api.ListTournamentsResponse> {
  return client.calls.call({ path: `tournaments${query(page)}` }, { signal });
}

/** Reads a tournament with its standings and rounds, by id or name. Throws `TOURNAMENT_NOT_FOUND`. */
export function getTournament(client: Client, tournament: string, options: CallOptions = {}): Promise<api.GetTournamentResponse> {
  return client.calls.call({ path: named(tournament) }, options);
}

/** Reads a page of games of a tournament: those in play, then the latest. Throws `TOURNAMENT_NOT_FOUND`, `TOKEN_INVALID`. */
export function listTournamentGames(
  client: Client,
  tournament: string,
  { signal, entrantToken: token, playing, ...page }: TournamentGamesOptions = {},
): Promise<api.ListTournamentGamesResponse> {
  return client.calls.call({ path: `${named(tournament)}/games${query({ ...page, playing: playing ? "true" : undefined })}`, token }, { signal });
}

/** Enters a person. Throws `TOURNAMENT_NOT_FOUND`, `TOURNAMENT_CLOSED`, `NAME_TAKEN`, `JOIN_CODE_WRONG`. */
export function enterTournament(
  client: Client,
  tournament: string,
  displayName: string,
  { signal, playerId, joinCode, requestId = client.calls.newId() }: EntryOptions = {},
): Promise<api.EnterTournamentResponse> {
  const body = { displayName, playerId, joinCode, requestId } satisfies api.EnterTournamentRequest;
  return client.calls.call({ path: `${named(tournament)}:enter`, body }, { signal });
}

/** Takes an entrant out of a tournament that has not started. Throws `TOURNAMENT_NOT_FOUND`, `TOURNAMENT_CLOSED`, `TOKEN_INVALID`. */
export async function leaveTournament(client: Client, tournament: string, entrantToken: string, options: CallOptions = {}): Promise<api.Tournament> {
  const call = { path: `${named(tournament)}:leave`, token: entrantToken, body: {} };
  return (await client.calls.call<api.LeaveTournamentResponse>(call, options)).tournament;
}

/** Returns the path of a tournament with that name or id. */
function named(tournament: string): string {
  return `tournaments/${encodeURIComponent(tournament.replace("tournaments/", ""))}`;
}
