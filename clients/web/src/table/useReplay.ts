import { type api, type SessionHandle, SkerryError } from "skerry-client";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

/** The position of a game that the player looks at. */
export interface Replay {
  /** The sequence of the entry before the position. Absent: the newest position. */
  at: number | undefined;
  /** Goes to the position after an entry, or to the newest one. */
  look: (at: number | undefined) => void;
  /** The position shown. It stays the same until the requested position has arrived. */
  position: api.Position;
}

/** Reads earlier positions of a game from the server: each once, and one at a time. */
export function useReplay(handle: SessionHandle | undefined, newest: api.Position): Replay {
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
  const read = async (from: SessionHandle): Promise<void> => {
    isReading.current = true;
    try {
      // A dragged slider passes many entries. Read only the entry where it is when the last read has ended.
      for (let next = wanted.current; next !== undefined && !known.has(next); next = wanted.current) {
        const { position } = await from.read({ sequence: next, view: "scene" });
        if (position) known.set(next, position);
        setCount((before) => before + 1);
      }
    } catch (error) {
      const ms = error instanceof SkerryError ? error.retryAfterMs : undefined;
      // Wait after a rate limit. After any other error the log has changed or is hidden, so show the newest position.
      if (ms === undefined) look(undefined);
      else setTimeout(() => setCount((before) => before + 1), ms);
    } finally {
      isReading.current = false;
    }
  };
  shown.current = at === undefined ? newest : (known.get(at) ?? shown.current);
  return { at, look, position: shown.current };
}
