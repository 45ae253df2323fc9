/** What this browser keeps: the tokens of games that are not over, and the name that was last played under. */

/** What is kept of one session. */
export interface Kept {
  /** `sessions/{id}`. */
  session: string;
  game: string;
  /** Plays the seat that was taken here. */
  seatToken?: string;
  /** Starts the session that was made here. */
  hostToken?: string;
  /** Lets others sit down there, where that takes a code. */
  joinCode?: string;
}

const SESSIONS = "skerry.sessions";
const NAME = "skerry.name";

/** Returns every session that is kept, the newest first. */
export function keptSessions(): Kept[] {
  try {
    const kept: unknown = JSON.parse(read(SESSIONS) ?? "[]");
    return Array.isArray(kept) ? (kept as Kept[]) : [];
  } catch {
    return [];
  }
}

/** Returns what is kept of a session. */
export function kept(session: string): Kept | undefined {
  return keptSessions().find((one) => one.session === session);
}

/** Keeps something more of a session. */
export function keep(more: Kept): void {
  const others = keptSessions().filter((one) => one.session !== more.session);
  store([{ ...kept(more.session), ...more }, ...others]);
}

/** Forgets the seat in a session: its token opens nothing any more. */
export function forgetSeat(session: string): void {
  const known = kept(session);
  if (!known?.hostToken) return forget(session);
  const { seatToken: _, ...others } = known;
  store(keptSessions().map((one) => (one.session === session ? others : one)));
}

/** Forgets a session: it is over or gone, and its tokens open nothing any more. */
export function forget(session: string): void {
  store(keptSessions().filter((one) => one.session !== session));
}

/** The name that was last played under. */
export function lastName(): string {
  return read(NAME) ?? "";
}

/** Remembers a name for the next table. */
export function rememberName(name: string): void {
  write(NAME, name);
}

function store(sessions: Kept[]): void {
  write(SESSIONS, JSON.stringify(sessions));
}

/** A browser that keeps nothing (private windows, blocked storage) can play all the same, until it is reloaded. */
function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    unkept.set(key, value);
  }
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return unkept.get(key) ?? null;
  }
}

const unkept = new Map<string, string>();
