import type * as api from "./generated/api.js";
import { SkerryError } from "./errors.js";

/** The session is not what it was: what is known of it is to be forgotten. */
export const ANEW = Symbol("anew");

/** One update of a session that is followed. */
export interface Update extends api.ObserveResponse {
  /**
   * Whether this does not follow from the update before: the server lacks what it had acknowledged, or entries are
   * missing. Forget what you know, and go on from `position` and `session`, which are here then.
   */
  anew: boolean;
}

/** How far an observer has come in a session. */
export class Follower {
  #reached: number | undefined;
  #epoch: string | undefined;
  #heard = false;
  #resuming = false;
  #anew = false;

  constructor(afterSequence: number | undefined, epoch: string | undefined) {
    this.#reached = afterSequence;
    this.#epoch = epoch;
  }

  /** Returns where the next stream is to begin, as a query. */
  query(): string {
    this.#resuming = this.#heard;
    return this.#reached === undefined ? "" : `?afterSequence=${this.#reached}`;
  }

  /** Notes a message. Returns what it tells the observer, if anything. Throws `ANEW`. */
  take(message: api.ObserveResponse): Update | undefined {
    const sequence = Number(message.sequence);
    const first = message.entries[0];
    const follows = first ? Number(first.sequence) - 1 : sequence;
    if ((this.#epoch ?? message.epoch) !== message.epoch || (this.#reached ?? follows) !== follows) throw ANEW;
    // The first message of a stream tells where the session stands. After an interruption that is known already.
    const known = this.#resuming && !first;
    const anew = this.#anew;
    this.#heard = true;
    this.#resuming = this.#anew = false;
    this.#reached = sequence;
    this.#epoch = message.epoch;
    return known ? undefined : { ...message, anew };
  }

  /** Forgets where the session stood: the next stream begins with its position. */
  forget(): void {
    this.#reached = this.#epoch = undefined;
    this.#heard = false;
    this.#anew = true;
  }

  /** Whether the error says that the log is shorter than what was known. What a caller made up is its own error. */
  outrun(error: unknown): boolean {
    return this.#epoch !== undefined && error instanceof SkerryError && error.is("SEQUENCE_AHEAD");
  }
}
