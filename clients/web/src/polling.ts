import { useEffect, useState } from "preact/hooks";

/** A poller reads a value again and again. */
export interface PollingOptions<Value> {
  /** The pause after a read, in milliseconds. `reads` counts the reads since the page became visible again, from 1. */
  pauseMs?: number | ((reads: number) => number);
  /** When it changes, polling restarts. */
  key?: unknown;
  /** Whether a value is final, so that polling stops. */
  isDone?: (value: Value) => boolean;
  /** With so many reads, failed ones included, polling stops until the page becomes visible again. Default: no limit. */
  maxReads?: number;
}

/**
 * Polls a value and returns the newest one. It reads until the first success, and afterwards only while the page is
 * visible. A read starts after the one before has ended, so that calls do not pile up while the server is down.
 */
export function usePolling<Value>(
  read: (signal: AbortSignal) => Promise<Value>,
  { key, ...options }: PollingOptions<NoInfer<Value>> = {},
): Value | undefined {
  const [value, setValue] = useState<Value>();
  useEffect(() => poll(read, setValue, options), [key]);
  return value;
}

/** Polls a value as `usePolling` does. Returns a function that stops it. */
export function poll<Value>(
  read: (signal: AbortSignal) => Promise<Value>,
  onValue: (value: Value) => void,
  { pauseMs = 5000, isDone = () => false, maxReads = Infinity }: Omit<PollingOptions<Value>, "key"> = {},
): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isKnown = false;
  let reads = 0;
  const look = async (): Promise<void> => {
    if (isKnown && document.hidden) return document.addEventListener("visibilitychange", restart, { once: true, signal });
    reads += 1;
    const isOver = await once().catch(() => false); // What was refused, by a limit say, is asked for again.
    const pause = typeof pauseMs === "number" ? pauseMs : pauseMs(reads);
    if (!isOver && reads < maxReads && !signal.aborted) timer = setTimeout(() => void look(), pause);
  };
  const restart = (): void => {
    reads = 0;
    void look();
  };
  const once = async (): Promise<boolean> => {
    const news = await read(signal);
    if (signal.aborted) return true;
    isKnown = true;
    onValue(news);
    return isDone(news);
  };
  void look();
  return () => {
    ending.abort();
    clearTimeout(timer);
  };
}
