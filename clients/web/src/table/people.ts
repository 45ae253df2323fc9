import type { api } from "skerry-client";

/** What has to be known of an entry, beside what it holds, to tell it. */
export interface Circumstances {
  /** What whoever sat on its seat was called then. */
  who: string;
  /** Whether the game had begun. */
  isInPlay: boolean;
}

/**
 * Returns the circumstances of each entry, by its sequence. `names`: of those who sit there now, by seat. Before the
 * game it goes by who sat down, as seats can close up at its start; in it, whoever has been replaced is not named.
 */
export function circumstancesOf(entries: readonly api.Entry[], names: readonly string[]): ReadonlyMap<string, Circumstances> {
  const told = new Map<string, Circumstances>();
  const start = entries.findIndex((entry) => "started" in entry);
  const replaced = new Set(entries.slice(Math.max(start, 0)).map((entry) => ("joined" in entry ? entry.seat : undefined)));
  const known = new Map<number | undefined, string>();
  let isInPlay = false;
  for (const entry of entries) {
    const { sequence, seat } = entry;
    if ("joined" in entry) known.set(seat, entry.joined.displayName);
    const keeper = isInPlay && seat !== undefined && !replaced.has(seat) ? names[seat] : undefined;
    told.set(sequence, { who: known.get(seat) ?? keeper ?? "A player", isInPlay });
    if ("started" in entry) {
      isInPlay = true;
      known.clear();
    }
  }
  return told;
}
