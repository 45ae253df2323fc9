import { type api, type Connection, type Seat, SkerryError, type Table } from "skerry-client";
import { useEffect, useState } from "preact/hooks";
import { forget, kept } from "../keep.js";
import { client } from "../server.js";

/** What is known of a session that is followed. */
export interface Followed {
  handle: Seat | Table | undefined;
  session: api.Session | undefined;
  position: api.Position | undefined;
  /** Every entry so far, as the viewer may see it. */
  entries: readonly api.Entry[];
  connection: Connection;
  /** Why it cannot be shown. */
  failure: SkerryError | undefined;
}

/** Whether it is a seat that is followed from, and not a place to look on from. */
export function isSeat(handle: Seat | Table | undefined): handle is Seat {
  return handle !== undefined && "act" in handle;
}

const NOTHING: Followed = {
  handle: undefined,
  session: undefined,
  position: undefined,
  entries: [],
  connection: { state: "open" },
  failure: undefined,
};

/** Opens a session with the best token that this browser keeps. A token that has become void is forgotten. */
async function open(name: string): Promise<Seat | Table> {
  const { seatToken, hostToken } = kept(name) ?? {};
  try {
    return seatToken ? await client.seat(name, seatToken) : await client.table(name, { hostToken });
  } catch (error) {
    if (!(error instanceof SkerryError) || !(seatToken || hostToken) || error.status !== "UNAUTHENTICATED") throw error;
    forget(name);
    return await client.table(name);
  }
}

/** Follows a session as long as it is shown. `seatToken`: when it changes, it is opened anew. */
export function useSession(name: string, seatToken: string | undefined): Followed {
  const [followed, setFollowed] = useState(NOTHING);
  useEffect(() => {
    const ending = new AbortController();
    const tell = (change: (known: Followed) => Followed): void => {
      if (!ending.signal.aborted) setFollowed(change);
    };
    void follow(name, ending.signal, tell);
    return () => {
      ending.abort();
      setFollowed(NOTHING);
    };
  }, [name, seatToken]);
  return followed;
}

type Tell = (change: (known: Followed) => Followed) => void;

async function follow(name: string, signal: AbortSignal, tell: Tell): Promise<void> {
  try {
    const handle = await open(name);
    const { session, position } = await handle.read({ signal });
    tell((known) => ({ ...known, handle, session, position }));
    const onConnection = (connection: Connection): void => tell((known) => ({ ...known, connection }));
    for await (const update of handle.observe({ afterSequence: 0, signal, onConnection })) {
      if (update.anew) {
        tell((known) => ({ ...known, entries: [] }));
        return await follow(name, signal, tell);
      }
      tell((known) => ({
        ...known,
        session: update.session ?? known.session,
        position: update.position ?? known.position,
        entries: [...known.entries, ...update.entries],
      }));
    }
    const last = await handle.read({ signal });
    tell((known) => ({ ...known, ...last, connection: { state: "open" } }));
  } catch (error) {
    if (signal.aborted) return;
    const failure = error instanceof SkerryError ? error : new SkerryError("INTERNAL", `${error}`, { status: "UNKNOWN" });
    if (failure.is("SESSION_NOT_FOUND")) forget(name);
    tell((known) => ({ ...known, failure }));
  }
}
