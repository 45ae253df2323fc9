import { type api, type Connection, type Seat, SkerryError, type Table } from "skerry-client";
import { useEffect, useState } from "preact/hooks";
import { forgetSession, forgetSeat, storedSession, seatTokenOf } from "../storage.js";
import { client } from "../server.js";

/** The state of an observed session. */
export interface Followed {
  handle: Seat | Table | undefined;
  session: api.Session | undefined;
  position: api.Position | undefined;
  /** The areas of the table, once the game has begun. */
  areas: readonly api.SceneArea[];
  /** All entries so far, as the viewer may see them. */
  entries: readonly api.Entry[];
  /** `opening`: the session is being read, before its stream is opened. */
  connection: Connection | { state: "opening" };
  /** Whether this browser lost its seat while the session was observed. */
  isRemoved: boolean;
  /** Why the session cannot be shown. */
  failure: SkerryError | undefined;
}

/** Whether a handle is a seat, and not a spectator's table. */
export function isSeat(handle: Seat | Table | undefined): handle is Seat {
  return handle !== undefined && "act" in handle;
}

const NOTHING: Followed = {
  handle: undefined,
  session: undefined,
  position: undefined,
  areas: [],
  entries: [],
  connection: { state: "opening" },
  isRemoved: false,
  failure: undefined,
};

/** Opens a session with the best stored token. Removes a token that is no longer valid. */
export async function open(name: string, signal?: AbortSignal): Promise<Seat | Table> {
  const [seatToken, hostToken] = [seatTokenOf(name), storedSession(name)?.hostToken];
  try {
    return seatToken ? await client.seat(name, seatToken, { signal }) : await client.table(name, { hostToken, signal });
  } catch (error) {
    if (!(isVoid(error) && (seatToken || hostToken))) throw error;
    if (seatToken) forgetSeat(name, seatToken);
    else forgetSession(name);
    return await open(name, signal);
  }
}

/** Whether an error says that a token is no longer valid: its player left, or the host removed the player. */
function isVoid(error: unknown): boolean {
  return error instanceof SkerryError && error.status === "UNAUTHENTICATED";
}

/** Observes a session while it is shown. Opens it again when `seatToken` changes. */
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

/** The wait after a rate limit that names no time, in milliseconds. */
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
      // A player who leaves removes the stored token first, so a token that is still stored means removal by the host.
      const isRemoved = seatTokenOf(name) === handle.token;
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
    if (failure.is("SESSION_NOT_FOUND")) forgetSession(name);
    tell((known) => ({ ...known, failure }));
  }
}

/** Reports the session and its updates. Returns `false` if the session was reset and must be observed from the beginning. */
async function isFollowedToItsEnd(handle: Seat | Table, signal: AbortSignal, tell: Tell): Promise<boolean> {
  const { session, position } = await handle.read({ signal, view: "scene" });
  tell((known) => ({ ...known, handle, session, position, areas: position?.scene?.areas ?? [] }));
  const onConnection = (connection: Connection): void => tell((known) => ({ ...known, connection }));
  for await (const update of handle.observe({ afterSequence: 0, view: "scene", signal, onConnection })) {
    if (update.reset) return false; // Leaving the loop closes this stream before the next one opens.
    tell((known) => ({
      ...known,
      session: update.session ?? known.session,
      position: update.position ?? known.position,
      areas: update.position?.scene?.areas.length ? update.position.scene.areas : known.areas,
      entries: [...known.entries, ...update.entries],
    }));
  }
  const last = await handle.read({ signal, view: "scene" });
  tell((known) => ({ ...known, ...last, connection: { state: "open" } }));
  return true;
}
