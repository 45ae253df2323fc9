/** The search for a table, and a player's own. Functions and not methods of `Client`, so that only programs that use them load them. */
import { query } from "./calls.js";
import type { Client, ListSessionsOptions } from "./client.js";
import type * as api from "./generated/api.js";
import type { Table } from "./tableHandle.js";

/** Which tables are acceptable. */
export interface FindTableOptions extends Pick<ListSessionsOptions, "label" | "signal"> {
  /** Returns whether a table is acceptable, for example by its options, clock or number of seats. Absent: all are. */
  accept?: ((session: api.Session) => boolean) | undefined;
}

/**
 * Finds the newest public table of a game that anyone can join: it waits for players, needs no join code, and has an open seat
 * that is not reserved for a bot. Resolves with the table, or with `undefined` if there is none. Another player can take the
 * last seat first: then `join` throws `SEAT_TAKEN` or `ALREADY_STARTED`; search again. Throws `GAME_NOT_FOUND`.
 */
export async function findTable(
  client: Client,
  game: string,
  { accept = () => true, ...filter }: FindTableOptions = {},
): Promise<Table | undefined> {
  for await (const session of client.sessions({ ...filter, game, state: "lobby" })) {
    const isOpen = session.seats.some(({ occupant, reservedFor }) => occupant === "OCCUPANT_OPEN" && !reservedFor);
    if (isOpen && !session.joinCodeRequired && accept(session)) return client.table(session.name, { signal: filter.signal });
  }
  return undefined;
}

/** Which sessions of the player are listed. */
export interface MySessionsOptions extends Omit<ListSessionsOptions, "label"> {
  /** Only sessions with all of these labels, each `key` or `key=value`, at most 8. Put the rarest one first. */
  labels?: readonly string[] | undefined;
}

/** A session of the player. */
export interface MySession {
  session: api.Session;
  /** The seats to act, the clocks, the player's seat, and whether the session waits for the player (`waits`). */
  turn: api.SessionTurn;
}

/**
 * Yields the sessions in which the vouched player has or had a seat. Those that wait for the player come first, the most
 * urgent one at the top. A game that moves on meanwhile can come twice: use the later one. The `fetch` of the client
 * sends the identity token. Throws `IDENTITY_MISSING` without one.
 */
export async function* mySessions(
  client: Client,
  { game, state, labels = [], signal }: MySessionsOptions = {},
): AsyncGenerator<MySession, void, undefined> {
  const filters = { game: game?.replace(/^games\//, ""), state: state && `SESSION_STATE_${state.toUpperCase()}` };
  const all = labels.map((label) => `&labels=${encodeURIComponent(label)}`).join("");
  let pageToken: string | undefined;
  do {
    const path = `sessions${query({ mine: "true", pageSize: 100, ...filters, pageToken })}${all}`;
    const page = await client.calls.call<api.ListSessionsResponse>({ path }, { signal });
    for (const [index, session] of page.sessions.entries()) yield { session, turn: page.turns[index]! };
    pageToken = page.nextPageToken;
  } while (pageToken);
}
