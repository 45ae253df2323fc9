import { useEffect, useState } from "preact/hooks";

interface Reading<Told> {
  /** How long after an answer it is asked again, in milliseconds. */
  pauseMs?: number;
  /** When it changes, all begins anew. */
  key?: unknown;
  /** Whether what was read is all there is to know. */
  isDone?: (told: Told) => boolean;
}

/**
 * Reads something until it is known, then again and again while the page is seen, and returns the newest. One call
 * follows the other, so that a server that is away is not asked by more and more of them.
 */
export function useRead<Told>(
  read: (signal: AbortSignal) => Promise<Told>,
  { pauseMs = 5000, key, isDone = () => false }: Reading<Told> = {},
): Told | undefined {
  const [told, setTold] = useState<Told>();
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
      setTold(news);
      return isDone(news);
    };
    void look();
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
  }, [key]);
  return told;
}
