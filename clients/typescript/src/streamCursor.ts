import type * as api from "./generated/api.js";
import { SkerryError } from "./errors.js";

/** Thrown when a stream does not continue what was received before. */
export const RESET = Symbol("reset");

/** One update of an observed session. */
export interface Update extends api.ObserveResponse {
  /**
   * Whether this update does not follow the previous one, because the server lost acknowledged entries or a message is
   * missing. Discard what you know, and continue from `position` and `session`, which the update then contains.
   */
  reset: boolean;
}

/** The point that an observer has reached in a session. */
export class StreamCursor {
  #reached: number | undefined;
  #epoch: string | undefined;
  #received = false;
  #resuming = false;
  #reset = false;

  constructor(afterSequence: number | undefined, epoch: string | undefined) {
    this.#reached = afterSequence;
    this.#epoch = epoch;
  }

  /** Returns the last entry received, after which the next stream starts. `undefined`: with the current position. */
  next(): number | undefined {
    this.#resuming = this.#received;
    return this.#reached;
  }

  /** Advances over a message. Returns its update, or `undefined` if it contains nothing new. Throws `RESET`. */
  take(message: api.ObserveResponse): Update | undefined {
    const sequence = Number(message.sequence);
    const first = message.entries[0];
    const follows = first ? Number(first.sequence) - 1 : sequence;
    if ((this.#epoch ?? message.epoch) !== message.epoch || (this.#reached ?? follows) !== follows) throw RESET;
    // The first message of a stream has the current position. After an interruption, the observer already knows it.
    const known = this.#resuming && !first;
    const reset = this.#reset;
    this.#received = true;
    this.#resuming = this.#reset = false;
    this.#reached = sequence;
    this.#epoch = message.epoch;
    return known ? undefined : { ...message, reset };
  }

  /** Forgets the point reached: the next stream starts with the current position. */
  forget(): void {
    this.#reached = this.#epoch = undefined;
    this.#received = false;
    this.#reset = true;
  }

  /**
   * Whether an error says that the server's log is shorter than what was received. A sequence ahead of the log that the
   * caller chose is the caller's mistake.
   */
  isAhead(error: unknown): boolean {
    return this.#epoch !== undefined && error instanceof SkerryError && error.is("SEQUENCE_AHEAD");
  }
}
