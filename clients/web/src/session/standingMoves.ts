import type { api } from "skerry-client";

export type MovedEntry = Extract<api.Entry, { moved: object }>;

export function isMoved(entry: api.Entry): entry is MovedEntry {
  return "moved" in entry;
}

/** Yields the moves of a log up to an entry, newest first, without those that were taken back by then. */
export function* standingMoves(entries: readonly api.Entry[], last = Infinity): Generator<MovedEntry> {
  const undone = new Set<string>();
  for (let place = entries.length - 1; place >= 0; place -= 1) {
    const entry = entries[place]!;
    if (Number(entry.sequence) > last) continue;
    if ("undone" in entry) undone.add(entry.undone.first);
    if (isMoved(entry) && !undone.has(entry.sequence)) yield entry;
  }
}

/** Returns how many moves stand after an entry of a log, those of chance included. */
export function countMoves(entries: readonly api.Entry[], last: number): number {
  return [...standingMoves(entries, last)].length;
}
