import type { SkerryError } from "./errors.js";
import { LONGEST_TIMER_MS } from "./timer.js";

const FIRST_MS = 100;
const LONGEST_MS = 5_000;
/** After this long without a failure, delays start from `FIRST_MS` again. */
const CALM_MS = 10_000;

/**
 * The delays between attempts. A delay that the server asks for is kept exactly. Other delays grow, with jitter. The
 * budget starts with the first failure after `renew`.
 */
export class Backoff {
  readonly #budgetMs: number;
  #began: number | undefined;
  #last = -Infinity;
  #delayMs = FIRST_MS;

  constructor(budgetMs: number) {
    this.#budgetMs = budgetMs;
  }

  /** Resets the budget after a success. */
  renew(): void {
    this.#began = undefined;
  }

  /** Returns the milliseconds until the next attempt. Throws the error if the delay exceeds the remaining budget. */
  next(error: SkerryError): number {
    const now = performance.now();
    this.#began ??= now;
    if (now - this.#last > CALM_MS) this.#delayMs = FIRST_MS;
    const ms = error.retryAfterMs ?? this.#delayMs * (0.5 + Math.random() / 2);
    this.#delayMs = Math.min(2 * this.#delayMs, LONGEST_MS);
    if (ms > LONGEST_TIMER_MS || now + ms >= this.#began + this.#budgetMs) throw error;
    this.#last = now + ms;
    return ms;
  }
}
