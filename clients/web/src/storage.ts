import type { api } from "skerry-client";

/**
 * Browser storage. `localStorage` holds the tokens of games and tournaments that are not over, and the last name. The tab's
 * `sessionStorage` holds the seat token of a finished game, which still opens the rematch, what its player added to the
 * seed, a seat token from the address, and the tab's search for opponents. All frames of a tab that show the same site
 * share that storage, so a page in a frame keeps these in memory: a seat token opens only the frame that it was given to.
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
  /** The random bytes that this player added to the seed, in Base64. The server publishes them after the game. */
  entropy?: string;
  /** The commitment to the server's seed before the player joined, in Base64. Absent for a rematch. */
  commitment?: string;
  /** Lets others join a session that requires a code. */
  joinCode?: string;
}

/** What a search for opponents looks for. */
export interface SearchSetup {
  game: string;
  /** The title of the game. */
  title: string;
  name: string;
  seats: number;
  options: Record<string, unknown>;
  /** Absent: no time limit. */
  clock?: api.ClockInput | undefined;
}

/** A search for opponents. Times are by `Date.now()`. */
export interface StoredSearch {
  setup: SearchSetup;
  requestId: string;
  since: number;
  /** When it was last seen running. */
  seenAt: number;
  hasAccepted: boolean;
}

const SESSIONS = "skerry.sessions";
const NAME = "skerry.name";
const SEARCH = "skerry.search";
/** The prefixes of the keys of finished sessions: of their seat tokens, and of their players' entropy. */
const FINISHED = "skerry.over.";
const ENTROPY = "skerry.entropy.";
/** The prefix of the keys of the progress in lessons. */
const LESSON = "skerry.lesson.";
/** The prefix of the keys of the last entries that the player has seen. */
const SEEN = "skerry.seen.";
/** The prefix of the keys of seat tokens that were handed to this tab or frame. */
const GIVEN = "skerry.given.";

/** Returns a storage. Throws in browsers that block it: merely reading `localStorage` does. */
type GetStorage = () => Storage;
export const LOCAL: GetStorage = () => localStorage;
const TAB: GetStorage = () => {
  if (window.parent !== window) throw new Error("The frames of a tab share sessionStorage.");
  return sessionStorage;
};

/** Returns all stored sessions, newest first. */
export function storedSessions(): StoredSession[] {
  const sessions = readJson<StoredSession[]>(SESSIONS, LOCAL);
  return Array.isArray(sessions) ? sessions : [];
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

/**
 * Takes a seat in this tab or frame alone, before one that this browser has: an embedder or the address handed the token
 * over.
 */
export function giveSeat(session: string, token: string): void {
  write(GIVEN + session, token, TAB);
  dispatchEvent(new Event("storage")); // as if another tab had taken the seat
}

/** Removes a seat token that is no longer valid, and the seat's entropy. Keeps a newer token that another tab has stored since. */
export function forgetSeat(session: string, token: string): void {
  if (read(GIVEN + session, TAB) === token) return drop(GIVEN + session);
  const known = storedSession(session);
  if (known?.seatToken !== undefined && known.seatToken !== token) return;
  if (!known?.hostToken) return forgetSession(session);
  const { seatToken: _, entropy: __, commitment: ___, ...others } = known;
  storeAll(storedSessions().map((stored) => (stored.session === session ? others : stored)));
}

/** Removes a session that no longer exists. */
export function forgetSession(session: string): void {
  storeAll(storedSessions().filter((stored) => stored.session !== session));
  drop(GIVEN + session);
  drop(FINISHED + session);
  drop(ENTROPY + session);
  drop(LESSON + session, LOCAL);
  drop(SEEN + session, LOCAL);
}

/** Removes a finished session. This tab or frame keeps its seat token, which opens the rematch, and the entropy, to check it. */
export function forgetFinished(session: string, token = seatTokenOf(session)): void {
  const added = addedTo(session);
  forgetSession(session);
  if (token) write(FINISHED + session, token, TAB);
  if (added) write(ENTROPY + session, JSON.stringify(added), TAB);
}

/** What a player added to the seed, and the commitment seen before. */
export interface Added {
  entropy: string;
  commitment?: string | undefined;
}

/** Returns what this player added to the seed of a session, even after the game is over. */
export function addedTo(session: string): Added | undefined {
  const { entropy, commitment } = storedSession(session) ?? {};
  if (entropy) return { entropy, commitment };
  return readJson(ENTROPY + session);
}

/** Returns the token of the seat of this tab or frame, even after the game is over. */
export function seatTokenOf(session: string): string | undefined {
  return read(GIVEN + session, TAB) ?? storedSession(session)?.seatToken ?? read(FINISHED + session, TAB) ?? undefined;
}

/** Returns how many steps of a session's lesson were read; -1 after the lesson. */
export function lessonProgress(session: string): number {
  return Number(read(LESSON + session) ?? 0) || 0;
}

/** Stores what `lessonProgress` returns. */
export function storeLessonProgress(session: string, reached: number): void {
  write(LESSON + session, `${reached}`);
}

/** Returns the last entry of a session that the player has seen in this browser. */
export function lastSeen(session: string): number | undefined {
  return Number(read(SEEN + session)) || undefined;
}

/** Stores what `lastSeen` returns, for a game that this browser plays: those are forgotten when they are over. */
export function storeSeen(session: string, sequence: number): void {
  if (storedSession(session)?.seatToken) write(SEEN + session, `${sequence}`);
}

/** Returns the name that the player used last. */
export function lastPlayerName(): string {
  return read(NAME) ?? "";
}

/** Stores the player's name for the next table. */
export function storePlayerName(name: string): void {
  write(NAME, name);
}

/** Returns the stored search of this tab. */
export function storedSearch(): StoredSearch | undefined {
  return readJson(SEARCH);
}

/** Stores the search of this tab. */
export function storeSearch(search: StoredSearch): void {
  write(SEARCH, JSON.stringify(search), TAB);
}

/** Removes the search of this tab. */
export function forgetSearch(): void {
  drop(SEARCH);
}

function storeAll(sessions: StoredSession[]): void {
  write(SESSIONS, JSON.stringify(sessions));
}

/** Writes a value. If the storage is blocked or full, the value stays in memory until the page is reloaded. */
export function write(key: string, value: string, storage: GetStorage = LOCAL): void {
  inMemory.delete(key);
  try {
    storage().setItem(key, value);
  } catch {
    inMemory.set(key, value);
  }
}

/** Returns a value. `null`: none is stored. */
export function read(key: string, storage: GetStorage = LOCAL): string | null {
  try {
    return inMemory.get(key) ?? storage().getItem(key);
  } catch {
    return null;
  }
}

/** Returns a value that is stored as JSON. `undefined`: none is stored, or it is damaged. */
export function readJson<Value>(key: string, storage = TAB): Value | undefined {
  try {
    return JSON.parse(read(key, storage) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** Removes a value. */
export function drop(key: string, storage: GetStorage = TAB): void {
  inMemory.delete(key);
  try {
    storage().removeItem(key);
  } catch {
    // The storage is blocked, so nothing was stored.
  }
}

const inMemory = new Map<string, string>();
