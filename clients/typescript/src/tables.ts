/** The search for a table to join. A function and not a method of `Client`, so that only programs that use it load it. */
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
