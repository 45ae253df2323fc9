import { drop, LOCAL, read, write } from "../storage.js";

/** A person's entry in a tournament. */
export interface StoredEntry {
  /** The name of the entrant, or the one that was sent last. */
  name: string;
  /** Other names that were sent in calls without a response. */
  earlier?: string[];
  /** Of the call, which returns the same entry when it is repeated. */
  requestId: string;
  /** The number of the entrant. Absent until the server has responded. */
  number?: number;
  /** Its token. Absent until the server has responded, and after the tournament. */
  token?: string;
}

/** The prefix of the keys. */
const ENTRY = "skerry.entry.";

/** Returns this browser's entry in a tournament. `tournament`: its id. */
export function storedEntry(tournament: string): StoredEntry | undefined {
  try {
    return (JSON.parse(read(ENTRY + tournament) ?? "null") as StoredEntry | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores an entry in a tournament. */
export function storeEntry(tournament: string, entry: StoredEntry): void {
  write(ENTRY + tournament, JSON.stringify(entry));
}

/** Removes an entry. */
export function forgetEntry(tournament: string): void {
  drop(ENTRY + tournament, LOCAL);
}

/** Removes the token of a tournament that is over. The number still marks this browser's entrant. */
export function forgetEntrantToken(tournament: string): void {
  const { token, ...entry } = storedEntry(tournament) ?? {};
  if (token) storeEntry(tournament, entry as StoredEntry);
}
