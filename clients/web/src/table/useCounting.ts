import { useEffect, useState } from "preact/hooks";
import { listen } from "../listen.js";

/** How long each further source of points takes, in milliseconds. */
const SOURCE_MS = 800;

/**
 * Counts up to a number, one step at a time. `isLive`: otherwise the number is reached at once. A click or Escape skips the
 * rest, and so does a player who wants no animations.
 */
export function useCounting(to: number, isLive: boolean): number {
  const [count, setCount] = useState(0);
  const isSlow = isLive && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  const isRunning = isSlow && count < to;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setTimeout(() => setCount(count + 1), SOURCE_MS);
    const skip = (event: Event): void => {
      if (!(event instanceof KeyboardEvent) || event.key === "Escape") setCount(to);
    };
    const end = listen(["click", "keydown"], skip);
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [isRunning, count, to]);
  return isSlow ? count : to;
}
