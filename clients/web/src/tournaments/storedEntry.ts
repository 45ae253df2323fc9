/** A person's entry in a tournament. */
export interface StoredEntry {
  name: string;
  /** Of the call, which returns the same entry when it is repeated. */
  requestId: string;
  /** The number of the entrant, and its token. Absent until the server has responded. */
  number?: number;
  token?: string;
}

/** The prefix of the keys. */
const ENTRY = "skerry.entry.";

/** Entries that the browser did not store, because its storage is blocked or full. */
const inMemory = new Map<string, StoredEntry>();

/** Returns this browser's entry in a tournament. `tournament`: its id. */
export function storedEntry(tournament: string): StoredEntry | undefined {
  try {
    return inMemory.get(tournament) ?? (JSON.parse(localStorage.getItem(ENTRY + tournament) ?? "null") as StoredEntry | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores an entry in a tournament. */
export function storeEntry(tournament: string, entry: StoredEntry): void {
  try {
    localStorage.setItem(ENTRY + tournament, JSON.stringify(entry));
  } catch {
    inMemory.set(tournament, entry);
  }
}

/** Removes an entry. */
export function forgetEntry(tournament: string): void {
  inMemory.delete(tournament);
  try {
    localStorage.removeItem(ENTRY + tournament);
  } catch {
    // The storage is blocked, so nothing was stored.
  }
}
