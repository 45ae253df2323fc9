/** What `setTimeout` can count to; beyond that it fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Calls back after some milliseconds, and never if they are more than a timer can count. Returns what stops it. */
export function after(ms: number, callback: () => void): () => void {
  if (ms > LONGEST_TIMER_MS) return () => undefined;
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}

/** Resolves after some milliseconds. Rejects with the signal's reason when that is aborted. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      stop();
      reject(signal?.reason);
    };
    const stop = after(ms, () => {
      signal?.removeEventListener("abort", abort);
      resolve();
    });
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

/** A controller that is aborted with the signal too, and what parts the two again. */
export function linked(signal: AbortSignal | undefined): [AbortController, () => void] {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort);
  return [controller, () => signal?.removeEventListener("abort", abort)];
}
