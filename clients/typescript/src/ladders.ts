/** The calls that read ladders. Functions and not methods of `Client`, so that only programs that use them load them. */
import { type CallOptions, query } from "./calls.js";
import type { Client } from "./client.js";
import type * as api from "./generated/api.js";

/** Which season of a ladder is read. */
export interface SeasonOptions extends CallOptions {
  /** Absent: the present one. */
  season?: number | undefined;
}

/** Which page of a list is read. */
export interface PageOptions extends SeasonOptions {
  /** 1 to 100. Absent: the server's default. */
  pageSize?: number | undefined;
  /** `nextPageToken` of the previous page, with the same filters. */
  pageToken?: string | undefined;
}

/** Which games of a ladder are read. */
export interface LadderGamesOptions extends PageOptions {
  /** Only games of this bot. Absent: all. */
  bot?: string | undefined;
}

/** Reads all ladders. */
export async function listLadders(client: Client, options: CallOptions = {}): Promise<api.Ladder[]> {
  return (await read<api.ListLaddersResponse>(client, "ladders", options)).ladders;
}

/** Reads a ladder, by id or name, and a page of its standings. Throws `LADDER_NOT_FOUND`. */
export function getLadder(client: Client, ladder: string, options: PageOptions = {}): Promise<api.GetLadderResponse> {
  return read(client, named("ladders", ladder), options);
}

/** Reads a page of games of a ladder: those in play, then the latest. Throws `LADDER_NOT_FOUND`. */
export function listLadderGames(
  client: Client,
  ladder: string,
  { bot, ...options }: LadderGamesOptions = {},
): Promise<api.ListLadderGamesResponse> {
  return read(client, `${named("ladders", ladder)}/games`, { ...options, bot: bot && named("bots", bot) });
}

/** Reads the results of a bot against each opponent. All its versions count. Throws `LADDER_NOT_FOUND`. */
export async function getHeadToHead(client: Client, ladder: string, bot: string, options: SeasonOptions = {}): Promise<api.HeadToHead[]> {
  const path = `${named("ladders", ladder)}:headToHead`;
  return (await read<api.GetHeadToHeadResponse>(client, path, { ...options, bot: named("bots", bot) })).rows;
}

/** Reads a bot with its versions, by id or name. Throws `BOT_NOT_FOUND`. */
export async function getBot(client: Client, bot: string, options: CallOptions = {}): Promise<api.Bot> {
  return (await read<api.GetBotResponse>(client, named("bots", bot), options)).bot;
}

function read<Answer>(client: Client, path: string, { signal, ...parameters }: LadderGamesOptions): Promise<Answer> {
  return client.calls.call<Answer>({ path: path + query(parameters) }, { signal });
}

/** Returns the resource name for a name or id. */
function named(collection: string, name: string): string {
  return `${collection}/${encodeURIComponent(name.replace(`${collection}/`, ""))}`;
}
