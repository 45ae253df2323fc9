import { type api, type Onlooker, SkerryError } from "skerry-client";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

/** Which position of a game is looked at. */
export interface Past {
  /** The entry right after which it is. Absent: the newest. */
  at: number | undefined;
  /** Goes to an entry, or to the newest position. */
  look: (at: number | undefined) => void;
  /** What is shown. Until the one that is asked for has come, that which was shown before. */
  position: api.Position;
}

/** Lets any position of a game be looked at. Each is read from the server once, the one after the other. */
export function usePast(handle: Onlooker | undefined, newest: api.Position): Past {
  const [at, look] = useState<number>();
  const [count, setCount] = useState(0);
  const known = useMemo(() => new Map<number, api.Position>(), [handle]);
  const wanted = useRef(at);
  wanted.current = at;
  const isReading = useRef(false);
  const shown = useRef(newest);
  useEffect(() => look(undefined), [handle]);
  useEffect(() => {
    if (handle && !isReading.current) void read(handle);
  }, [handle, at, count]);
  const read = async (from: Onlooker): Promise<void> => {
    isReading.current = true;
    try {
      // A slider is drawn over many entries; those that it has left by the time they could be read are not.
      for (let next = wanted.current; next !== undefined && !known.has(next); next = wanted.current) {
        const { position } = await from.read({ sequence: next });
        if (position) known.set(next, position);
        setCount((before) => before + 1);
      }
    } catch (error) {
      const ms = error instanceof SkerryError ? error.retryAfterMs : undefined;
      // A limit is waited for. Else the log is another one now, or is shown no more; the newest position there is.
      if (ms === undefined) look(undefined);
      else setTimeout(() => setCount((before) => before + 1), ms);
    } finally {
      isReading.current = false;
    }
  };
  shown.current = at === undefined ? newest : (known.get(at) ?? shown.current);
  return { at, look, position: shown.current };
}
