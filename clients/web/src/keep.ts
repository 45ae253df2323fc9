/** What this browser keeps: the tokens of games that are not over, and the name that was last played under. A tab keeps more. */

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
/** Before the name of a session that is over. */
const OVER = "skerry.over.";

/** Where it is kept: to name a storage that is blocked is refused already. */
type Kind = () => Storage;
const LOCAL: Kind = () => localStorage;
const OF_TAB: Kind = () => sessionStorage;

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

/** Forgets the seat in a session: this token opens nothing any more. One that another tab has come to since is kept. */
export function forgetSeat(session: string, token: string): void {
  const known = kept(session);
  if (known?.seatToken !== undefined && known.seatToken !== token) return;
  if (!known?.hostToken) return forget(session);
  const { seatToken: _, ...others } = known;
  store(keptSessions().map((one) => (one.session === session ? others : one)));
}

/** Forgets a session: it is gone, and its tokens open nothing any more. */
export function forget(session: string): void {
  store(keptSessions().filter((one) => one.session !== session));
  drop(OVER + session);
}

/** Forgets a session that is over, but for its seat's token in this tab, which may be the last to know it: it still opens the rematch. */
export function retire(session: string, token = seatTokenOf(session)): void {
  forget(session);
  if (token) write(OVER + session, token, OF_TAB);
}

/** The token of the seat that was taken here, also of a game that is over. */
export function seatTokenOf(session: string): string | undefined {
  return kept(session)?.seatToken ?? read(OVER + session, OF_TAB) ?? undefined;
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

/** A browser that keeps nothing (private windows, storage that is blocked or full) can play all the same, until it is reloaded. */
function write(key: string, value: string, storage: Kind = LOCAL): void {
  unkept.delete(key);
  try {
    storage().setItem(key, value);
  } catch {
    unkept.set(key, value);
  }
}

function read(key: string, storage: Kind = LOCAL): string | null {
  try {
    return unkept.get(key) ?? storage().getItem(key);
  } catch {
    return null;
  }
}

function drop(key: string): void {
  unkept.delete(key);
  try {
    OF_TAB().removeItem(key);
  } catch {
    // It was never kept.
  }
}

const unkept = new Map<string, string>();
