/**
 * Browser storage. `localStorage` holds the tokens of games that are not over, and the player's last name. The tab's
 * `sessionStorage` holds the seat token of a finished game, which still opens the rematch.
 */

/** What this browser stores about one session. */
export interface StoredSession {
  /** `sessions/{id}`. */
  session: string;
  game: string;
  /** Plays the seat that this browser took. */
  seatToken?: string;
  /** Hosts the session that this browser created. */
  hostToken?: string;
  /** Lets others join a session that requires a code. */
  joinCode?: string;
}

const SESSIONS = "skerry.sessions";
const NAME = "skerry.name";
/** The prefix of the keys of finished sessions. */
const FINISHED = "skerry.over.";

/** Returns a storage. A function, because merely reading `localStorage` throws in browsers that block it. */
type GetStorage = () => Storage;
const LOCAL: GetStorage = () => localStorage;
const TAB: GetStorage = () => sessionStorage;

/** Returns all stored sessions, newest first. */
export function storedSessions(): StoredSession[] {
  try {
    const sessions: unknown = JSON.parse(read(SESSIONS) ?? "[]");
    return Array.isArray(sessions) ? (sessions as StoredSession[]) : [];
  } catch {
    return [];
  }
}

/** Returns what is stored about a session. */
export function storedSession(session: string): StoredSession | undefined {
  return storedSessions().find((stored) => stored.session === session);
}

/** Stores a session. Fields that `update` lacks keep their stored values. */
export function storeSession(update: StoredSession): void {
  const others = storedSessions().filter((stored) => stored.session !== update.session);
  storeAll([{ ...storedSession(update.session), ...update }, ...others]);
}

/** Removes a seat token that is no longer valid. Keeps a newer token that another tab has stored since. */
export function forgetSeat(session: string, token: string): void {
  const known = storedSession(session);
  if (known?.seatToken !== undefined && known.seatToken !== token) return;
  if (!known?.hostToken) return forgetSession(session);
  const { seatToken: _, ...others } = known;
  storeAll(storedSessions().map((stored) => (stored.session === session ? others : stored)));
}

/** Removes a session that no longer exists. */
export function forgetSession(session: string): void {
  storeAll(storedSessions().filter((stored) => stored.session !== session));
  drop(FINISHED + session);
}

/** Removes a finished session, but keeps its seat token in this tab: it still opens the rematch. */
export function forgetFinished(session: string, token = seatTokenOf(session)): void {
  forgetSession(session);
  if (token) write(FINISHED + session, token, TAB);
}

/** Returns the token of this browser's seat, even after the game is over. */
export function seatTokenOf(session: string): string | undefined {
  return storedSession(session)?.seatToken ?? read(FINISHED + session, TAB) ?? undefined;
}

/** Returns the name that the player used last. */
export function lastPlayerName(): string {
  return read(NAME) ?? "";
}

/** Stores the player's name for the next table. */
export function storePlayerName(name: string): void {
  write(NAME, name);
}

function storeAll(sessions: StoredSession[]): void {
  write(SESSIONS, JSON.stringify(sessions));
}

/** Writes a value. If the browser's storage is blocked or full, the value stays in memory until the page is reloaded. */
function write(key: string, value: string, storage: GetStorage = LOCAL): void {
  inMemory.delete(key);
  try {
    storage().setItem(key, value);
  } catch {
    inMemory.set(key, value);
  }
}

function read(key: string, storage: GetStorage = LOCAL): string | null {
  try {
    return inMemory.get(key) ?? storage().getItem(key);
  } catch {
    return null;
  }
}

function drop(key: string): void {
  inMemory.delete(key);
  try {
    TAB().removeItem(key);
  } catch {
    // The storage is blocked, so nothing was stored.
  }
}

const inMemory = new Map<string, string>();
