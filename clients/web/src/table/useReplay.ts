import { type api, type SessionHandle, SkerryError } from "skerry-client";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useLanguage } from "../texts/language.js";

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
  const [at, setAt] = useState<number>();
  const [shown, setShown] = useState<api.Position>();
  const spoken = useLanguage();
  const reader = useMemo(() => handle && new PositionReader(handle, setShown, () => setAt(undefined)), [handle, spoken]);
  const readBefore = useRef(handle);
  const look = useCallback(
    (wanted: number | undefined): void => {
      setAt(wanted);
      if (wanted === undefined) setShown(undefined);
      reader?.want(wanted);
    },
    [reader],
  );
  useEffect(() => {
    if (at === undefined || readBefore.current !== handle) look(undefined);
    else reader?.want(at); // in another language
    readBefore.current = handle;
    return () => reader?.want(undefined);
  }, [reader]);
  return { at, look, position: (at === undefined ? undefined : shown) ?? newest };
}

/** Reads the positions of one session. */
class PositionReader {
  readonly #handle: SessionHandle;
  readonly #onPosition: (position: api.Position) => void;
  readonly #onFailure: () => void;
  readonly #known = new Map<number, api.Position>();
  #wanted: number | undefined;
  #isReading = false;

  constructor(handle: SessionHandle, onPosition: (position: api.Position) => void, onFailure: () => void) {
    this.#handle = handle;
    this.#onPosition = onPosition;
    this.#onFailure = onFailure;
  }

  /** Reports the position after an entry as soon as it is known, unless another one is wanted by then. */
  want(sequence: number | undefined): void {
    this.#wanted = sequence;
    const known = sequence !== undefined && this.#known.get(sequence);
    if (known) this.#onPosition(known);
    else if (!this.#isReading) void this.#read();
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      // A dragged slider passes many entries. Read only the entry where it is when the last read has ended.
      for (let next = this.#wanted; next !== undefined && !this.#known.has(next); next = this.#wanted) {
        const { position } = await this.#handle.read({ sequence: next, view: "scene" });
        if (!position) break;
        this.#known.set(next, position);
        if (this.#wanted === next) this.#onPosition(position);
      }
    } catch (error) {
      const ms = error instanceof SkerryError ? error.retryAfterMs : undefined;
      // Wait after a rate limit. After any other error the log has changed or is hidden, so show the newest position.
      if (ms === undefined) this.#onFailure();
      else setTimeout(() => this.want(this.#wanted), ms);
    } finally {
      this.#isReading = false;
    }
  }
}
