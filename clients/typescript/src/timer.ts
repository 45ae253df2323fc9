/** The longest delay of `setTimeout`. A longer one fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Calls back after some milliseconds, or never if they exceed `LONGEST_TIMER_MS`. Returns a function that stops the timer. */
export function after(ms: number, callback: () => void): () => void {
  if (ms > LONGEST_TIMER_MS) return () => undefined;
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}

/** Resolves after some milliseconds. Rejects with the signal's reason when the signal is aborted. */
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

/** Returns a controller that the signal aborts too, and a function that unlinks the two. */
export function linked(signal: AbortSignal | undefined): [AbortController, () => void] {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort);
  return [controller, () => signal?.removeEventListener("abort", abort)];
}
