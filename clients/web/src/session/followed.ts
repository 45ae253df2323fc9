import type { api, Connection, Seat, Table } from "skerry-client";

/** The state of an observed session. */
export interface Followed {
  handle: Seat | Table | undefined;
  session: api.Session | undefined;
  position: api.Position | undefined;
  /** The areas of the table, once the game has begun. */
  areas: readonly api.SceneArea[];
  /** All entries so far, as the viewer may see them. It grows in place: its length shows whether it has changed. */
  entries: readonly api.Entry[];
  /** `opening`: the session is being read, before its stream is opened. */
  connection: Connection | { state: "opening" };
  /** Whether this browser lost its seat while the session was observed. */
  isRemoved: boolean;
  /** Why the session cannot be shown. */
  failure: unknown;
}

/** The state before anything is known. */
export const NOTHING: Followed = {
  handle: undefined,
  session: undefined,
  position: undefined,
  areas: [],
  entries: [],
  connection: { state: "opening" },
  isRemoved: false,
  failure: undefined,
};

/** Whether a handle is a seat, and not a spectator's table. */
export function isSeat(handle: Seat | Table | undefined): handle is Seat {
  return handle !== undefined && "act" in handle;
}

/** What the server sends about a session: an update of its stream, or the response to a move. */
export interface News {
  entries: readonly api.Entry[];
  /** The sequence that the news reach. */
  sequence: string;
  position?: api.Position;
  session?: api.Session;
}

/** Returns the sequence of the newest entry known. 0 before the first. */
export function reachedBy({ entries }: Followed): number {
  return Number(entries[entries.length - 1]?.sequence ?? 0);
}

/**
 * Returns the state after some news. Entries that are known already are skipped, and so is a position that is not newer:
 * a move's response and the stream bring the same entries.
 */
export function withNews(known: Followed, { entries, position, session, sequence }: News): Followed {
  const reached = reachedBy(known);
  const log = known.entries as api.Entry[];
  for (const entry of entries) if (Number(entry.sequence) > reached) log.push(entry);
  const isNewer = !known.position || Number(sequence) > Number(known.position.sequence);
  const areas = position?.scene?.areas;
  return {
    ...known,
    session: session ?? known.session,
    position: position && isNewer ? position : known.position,
    areas: areas?.length ? areas : known.areas,
  };
}
