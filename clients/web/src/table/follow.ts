import { type api, type Connection, type Seat, SkerryError, type Table } from "skerry-client";
import { useEffect, useState } from "preact/hooks";
import { forget, forgetSeat, kept, seatTokenOf } from "../keep.js";
import { client } from "../server.js";

/** What is known of a session that is followed. */
export interface Followed {
  handle: Seat | Table | undefined;
  session: api.Session | undefined;
  position: api.Position | undefined;
  /** Every entry so far, as the viewer may see it. */
  entries: readonly api.Entry[];
  /** `opening`: the session is asked for, to be followed from what it is now. */
  connection: Connection | { state: "opening" };
  /** Whether the seat of this browser was taken from it while the session was followed. */
  isRemoved: boolean;
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
  connection: { state: "opening" },
  isRemoved: false,
  failure: undefined,
};

/** Opens a session with the best token that this browser keeps. A token that has become void is forgotten. */
export async function open(name: string, signal?: AbortSignal): Promise<Seat | Table> {
  const [seatToken, hostToken] = [seatTokenOf(name), kept(name)?.hostToken];
  try {
    return seatToken ? await client.seat(name, seatToken, { signal }) : await client.table(name, { hostToken, signal });
  } catch (error) {
    if (!(isVoid(error) && (seatToken || hostToken))) throw error;
    if (seatToken) forgetSeat(name, seatToken);
    else forget(name);
    return await open(name, signal);
  }
}

/** Whether a token opens nothing any more: its player left, or was removed by the host. */
function isVoid(error: unknown): boolean {
  return error instanceof SkerryError && error.status === "UNAUTHENTICATED";
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

/** How long a limit that does not say so is waited for. */
const LIMITED_MS = 5000;

type Tell = (change: (known: Followed) => Followed) => void;

async function follow(name: string, signal: AbortSignal, tell: Tell): Promise<void> {
  let handle: Seat | Table | undefined;
  const begin = (connection: Followed["connection"]): Promise<void> => {
    tell((known) => ({ ...known, entries: [], connection }));
    return follow(name, signal, tell);
  };
  try {
    handle = await open(name, signal);
    if (!(await isFollowedToItsEnd(handle, signal, tell))) return await begin(NOTHING.connection);
  } catch (error) {
    if (signal.aborted) return;
    if (isVoid(error) && isSeat(handle)) {
      const isRemoved = kept(name)?.seatToken === handle.token; // whoever leaves has forgotten the seat before
      forgetSeat(name, handle.token);
      tell(() => ({ ...NOTHING, isRemoved }));
      return await follow(name, signal, tell);
    }
    if (error instanceof SkerryError && error.status === "RESOURCE_EXHAUSTED") {
      const waiting = { state: "waiting", error, delayMs: error.retryAfterMs ?? LIMITED_MS } as const;
      tell((known) => ({ ...known, connection: waiting }));
      await new Promise((resolve) => setTimeout(resolve, waiting.delayMs));
      return await begin(waiting);
    }
    const failure = error instanceof SkerryError ? error : new SkerryError("INTERNAL", `${error}`, { status: "UNKNOWN" });
    if (failure.is("SESSION_NOT_FOUND")) forget(name);
    tell((known) => ({ ...known, failure }));
  }
}

/** Tells what there is and what comes. Returns whether that was all: else what is known is to be forgotten. */
async function isFollowedToItsEnd(handle: Seat | Table, signal: AbortSignal, tell: Tell): Promise<boolean> {
  const { session, position } = await handle.read({ signal });
  tell((known) => ({ ...known, handle, session, position }));
  const onConnection = (connection: Connection): void => tell((known) => ({ ...known, connection }));
  for await (const update of handle.observe({ afterSequence: 0, signal, onConnection })) {
    if (update.anew) return false; // before it is followed again: who leaves the loop ends its stream
    tell((known) => ({
      ...known,
      session: update.session ?? known.session,
      position: update.position ?? known.position,
      entries: [...known.entries, ...update.entries],
    }));
  }
  const last = await handle.read({ signal });
  tell((known) => ({ ...known, ...last, connection: { state: "open" } }));
  return true;
}
