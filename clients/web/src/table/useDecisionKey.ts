import type { api } from "skerry-client";
import { useState } from "preact/hooks";
import { isSameDecision, lastChange } from "./playback.js";

/**
 * Returns a text that identifies what the viewer chooses from. It stays while only others move who decide at the same time.
 *
 * `epoch` is part of it: a server that lost entries reaches the same sequence again, in a new epoch.
 */
export function useDecisionKey(epoch: string, position: api.Position, entries: readonly api.Entry[]): string {
  const key = `${epoch} ${lastChange(entries, position)}`;
  const [known, setKnown] = useState({ position, key, epoch });
  if (known.position === position && known.epoch === epoch) return known.key;
  const now = { position, epoch, key: known.epoch === epoch && isSameDecision(known.position, position, entries) ? known.key : key };
  setKnown(now); // before anything is drawn: a selection that is still valid must not vanish for a moment
  return now.key;
}
