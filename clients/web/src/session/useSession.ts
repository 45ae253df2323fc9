import type { api } from "skerry-client";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Followed, isSeat, NOTHING, reachedBy, withNews } from "./followed.js";
import { followSession, type Tell } from "./followSession.js";
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
  useEffect(() => {
    const run = new Running(setFollowed);
    running.current = run;
    void followSession(name, run.ending.signal, run.tell);
    return () => {
      run.ending.abort();
      setFollowed(NOTHING);
    };
  }, [name, seatToken]);
  const act = useCallback(async (move: api.Move) => running.current?.act(move), []);
  return { ...followed, act };
}

/** The observation of one session with one token. */
class Running {
  readonly ending = new AbortController();
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
