import type { api } from "skerry-client";
import { t } from "../texts/texts.js";

/** What the text of a log entry needs in addition to the entry itself. */
export interface EntryContext {
  /** The name of the player who had the entry's seat at that time. */
  player: string;
  /** Whether the game had started. */
  isInPlay: boolean;
}

/**
 * Returns the context of each entry, by sequence. `names` are the current names, by seat. Before the start, names come from
 * the join entries, because seats can change their numbers at the start. After the start, a replaced player is not named.
 */
export function entryContexts(entries: readonly api.Entry[], names: readonly string[]): ReadonlyMap<string, EntryContext> {
  const contexts = new Map<string, EntryContext>();
  const start = entries.findIndex((entry) => "started" in entry);
  const replaced = new Set(entries.slice(Math.max(start, 0)).map((entry) => ("joined" in entry ? entry.seat : undefined)));
  const known = new Map<number | undefined, string>();
  let isInPlay = false;
  for (const entry of entries) {
    const { sequence, seat } = entry;
    if ("joined" in entry) known.set(seat, entry.joined.displayName);
    const keeper = isInPlay && seat !== undefined && !replaced.has(seat) ? names[seat] : undefined;
    contexts.set(sequence, { player: known.get(seat) ?? keeper ?? t("log-player"), isInPlay });
    if ("started" in entry) {
      isInPlay = true;
      known.clear();
    }
  }
  return contexts;
}
