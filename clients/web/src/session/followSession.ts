import { type api, type Connection, type Seat, SkerryError, type Table } from "skerry-client";
import { forgetSeat, forgetSession, seatTokenOf } from "../storage.js";
import { type Followed, isSeat, NOTHING, withNews } from "./followed.js";
import { isVoid, openSession } from "./openSession.js";
import { wait } from "./waiting.js";

/** The wait after a rate limit that names no time, in milliseconds. */
const LIMITED_MS = 5000;

/** Changes the state that is shown. */
export type Tell = (change: (known: Followed) => Followed) => void;

/** Observes a session until its game is over, it cannot be shown, or the signal is aborted. Reports everything to `tell`. `known`: its handle. */
export async function followSession(name: string, signal: AbortSignal, tell: Tell, known?: Seat | Table): Promise<void> {
  let handle: Seat | Table | undefined;
  let opened = known;
  while (!signal.aborted) {
    try {
      handle = opened ?? (await openSession(name, signal));
      opened = undefined;
      if (await isFollowedToItsEnd(handle, signal, tell)) return;
      tell((known) => ({ ...known, entries: [], connection: NOTHING.connection }));
    } catch (error) {
      if (signal.aborted) return;
      const next = await afterError(error, name, handle, signal);
      tell(next.change);
      if (!next.isOver && handle && next.delayMs) await readInstead(handle, signal, tell);
      if (next.isOver) return;
      await wait(next.delayMs, signal);
    }
  }
}

/** What follows an error: a change of what is shown, and a wait before the next attempt unless there is none. */
interface Recovery {
  change: (known: Followed) => Followed;
  isOver: boolean;
  /** In milliseconds. */
  delayMs: number;
}

async function afterError(error: unknown, name: string, handle: Seat | Table | undefined, signal: AbortSignal): Promise<Recovery> {
  if (isVoid(error) && isSeat(handle)) {
    // A player who leaves removes the stored token first, so a token that is still stored means removal by the host.
    const isRemoved = seatTokenOf(name) === handle.token;
    forgetSeat(name, handle.token);
    return { change: () => ({ ...NOTHING, entries: [], isRemoved }), isOver: false, delayMs: 0 };
  }
  if (error instanceof SkerryError && error.status === "RESOURCE_EXHAUSTED") {
    const delayMs = error.retryAfterMs ?? LIMITED_MS;
    const connection: Connection = { state: "waiting", error, delayMs };
    return { change: (known) => ({ ...known, entries: [], connection }), isOver: false, delayMs };
  }
  if (error instanceof SkerryError && error.is("SESSION_NOT_FOUND")) forgetSession(name);
  const session = await publicPart(error, handle, signal);
  return { change: (known) => ({ ...known, handle, failure: error, session: session ?? known.session }), isOver: true, delayMs: 0 };
}

/** Reads the session of a game that the viewer may not see. Everyone may know its name and its players. */
async function publicPart(error: unknown, handle: Seat | Table | undefined, signal: AbortSignal): Promise<api.Session | undefined> {
  if (!(error instanceof SkerryError && error.is("NOT_ALLOWED"))) return undefined;
  return await handle?.session({ signal }).catch(() => undefined);
}

/** Reads what the first update of a stream has, while no stream can be opened. */
async function readInstead(handle: Seat | Table, signal: AbortSignal, tell: Tell): Promise<void> {
  try {
    const { session, position } = await handle.read({ signal, view: "scene" });
    tell((known) => ({ ...known, handle, session, position, areas: position?.scene?.areas ?? [], entries: [] }));
  } catch {
    // The stream reports why the session cannot be read.
  }
}

/** Reports the session and its updates. Returns `false` if the session was reset and must be observed from the beginning. */
async function isFollowedToItsEnd(handle: Seat | Table, signal: AbortSignal, tell: Tell): Promise<boolean> {
  let isFirst = true;
  const onConnection = (connection: Connection): void => {
    tell((known) => ({ ...known, connection }));
    if (isFirst && connection.state === "waiting") void readInstead(handle, signal, (change) => isFirst && tell(change));
  };
  // The first update has the session, its position and its whole log.
  for await (const update of handle.observe({ afterSequence: 0, view: "scene", signal, onConnection })) {
    if (update.reset) return false; // Leaving the loop closes this stream before the next one opens.
    const news = isFirst ? (known: Followed): Followed => ({ ...known, handle, position: undefined, entries: [] }) : (known: Followed): Followed => known;
    isFirst = false;
    tell((known) => withNews(news(known), update));
  }
  const { session } = await handle.read({ signal, view: "none" }); // with the seed and the players' entropy
  tell((known) => ({ ...known, session, connection: { state: "open" } }));
  return true;
}
