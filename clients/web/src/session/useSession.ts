import type { api } from "skerry-client";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Followed, isSeat, NOTHING, reachedBy, withNews } from "./followed.js";
import { followSession, type Tell } from "./followSession.js";
import { useLanguage } from "../texts/language.js";
import { wait } from "./waiting.js";

/** How long a move's response waits for the stream, in milliseconds. The stream has what the move changed, for animations. */
const STREAM_MS = 1500;

/** An observed session, and how to make a move in it. */
export interface Observed extends Followed {
  /** Makes a move. The new position is shown even if the stream is broken. Throws as `Seat.act`. */
  act: (move: api.Move) => Promise<void>;
}

/** Observes a session while it is shown. Opens it again when `seatToken` changes. */
export function useSession(name: string, seatToken: string | undefined): Observed {
  const [followed, setFollowed] = useState(NOTHING);
  const running = useRef<Running>(undefined);
  const spoken = useLanguage();
  useEffect(() => {
    const run = new Running(setFollowed);
    running.current = run;
    return () => {
      run.ending.abort();
      setFollowed(NOTHING);
    };
  }, [name, seatToken]);
  // In another language, everything is read again, and replaces what is shown.
  useEffect(() => running.current?.follow(name), [name, seatToken, spoken]);
  const act = useCallback(async (move: api.Move) => running.current?.act(move), []);
  return { ...followed, act };
}

/** The observation of one session with one token. */
class Running {
  ending = new AbortController();
  #known: Followed = { ...NOTHING, entries: [] };
  readonly #show: (known: Followed) => void;

  constructor(show: (known: Followed) => void) {
    this.#show = show;
  }

  readonly tell: Tell = (change) => {
    if (this.ending.signal.aborted) return;
    this.#known = change(this.#known);
    this.#show(this.#known);
  };

  /** Follows the session from its beginning. What is known stays until it is replaced. */
  follow(name: string): void {
    this.ending.abort();
    const { signal } = (this.ending = new AbortController());
    void followSession(name, signal, (change) => signal.aborted || this.tell(change), this.#known.handle);
  }

  async act(move: api.Move): Promise<void> {
    const { handle } = this.#known;
    if (!isSeat(handle)) return;
    const answer = await handle.act(move, { view: "scene" });
    if (this.#known.connection.state === "open" && this.#isNews(answer)) await wait(STREAM_MS, this.ending.signal);
    if (this.#isNews(answer)) this.tell((known) => withNews(known, answer));
  }

  /** Whether the stream has not yet brought what a move's response says. After a reset, the response says nothing. */
  #isNews({ sequence, epoch }: api.ActResponse): boolean {
    return epoch === this.#known.session?.epoch && Number(sequence) > reachedBy(this.#known);
  }
}
