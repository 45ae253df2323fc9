import type { SessionHandle } from "skerry-client";
import { type PollingOptions, usePolling } from "../polling.js";

/** The first pause between two looks for a rematch, how much longer each further one is, and the longest, in milliseconds. */
const [FIRST_MS, GROWTH, LONGEST_MS] = [3000, 1.4, 60_000];
/** With so many looks, about half an hour, no rematch is expected any more. */
const MAX_READS = 40;

/** How a finished game is watched for its rematch: ever more rarely, and not for ever. */
export const REMATCH_POLLING: PollingOptions<string | undefined> = {
  pauseMs: (reads) => Math.min(LONGEST_MS, FIRST_MS * GROWTH ** (reads - 1)),
  isDone: (rematch) => rematch !== undefined,
  maxReads: MAX_READS,
};

/** Returns the name of the rematch of a finished game, once it exists. */
export function useRematch(handle: SessionHandle | undefined): string | undefined {
  const read = async (signal: AbortSignal): Promise<string | undefined> => (await handle?.read({ signal, view: "none" }))?.rematch;
  return usePolling(read, { ...REMATCH_POLLING, key: handle });
}
