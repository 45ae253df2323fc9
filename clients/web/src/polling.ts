import { useEffect, useState } from "preact/hooks";

interface PollingOptions<Value> {
  /** The pause between two reads, in milliseconds. */
  pauseMs?: number;
  /** When it changes, polling restarts. */
  key?: unknown;
  /** Whether a value is final, so that polling stops. */
  isDone?: (value: Value) => boolean;
}

/**
 * Polls a value and returns the newest one. It reads until the first success, and afterwards only while the page is
 * visible. A read starts after the one before has ended, so that calls do not pile up while the server is down.
 */
export function usePolling<Value>(
  read: (signal: AbortSignal) => Promise<Value>,
  { pauseMs = 5000, key, isDone = () => false }: PollingOptions<Value> = {},
): Value | undefined {
  const [value, setValue] = useState<Value>();
  useEffect(() => {
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isKnown = false;
    const look = async (): Promise<void> => {
      const isWanted = !isKnown || document.visibilityState !== "hidden";
      const isOver = isWanted && (await once().catch(() => false)); // What was refused, by a limit say, is asked for again.
      if (!isOver && !ending.signal.aborted) timer = setTimeout(() => void look(), pauseMs);
    };
    const once = async (): Promise<boolean> => {
      const news = await read(ending.signal);
      if (ending.signal.aborted) return true;
      isKnown = true;
      setValue(news);
      return isDone(news);
    };
    void look();
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
  }, [key]);
  return value;
}
