import type { SkerryError } from "./errors.js";
import { LONGEST_TIMER_MS } from "./timer.js";

const FIRST_MS = 100;
const LONGEST_MS = 5_000;
/** After so long without a failure the next one is a new one. */
const CALM_MS = 10_000;

/**
 * The pauses between attempts. What the server asks for is waited to the letter, neither shorter nor longer. Where it
 * asks for nothing they grow, with jitter. The budget begins with the first failure since `renew`.
 */
export class Patience {
  readonly #budgetMs: number;
  #began: number | undefined;
  #last = -Infinity;
  #delayMs = FIRST_MS;

  constructor(budgetMs: number) {
    this.#budgetMs = budgetMs;
  }

  /** Begins anew: there was an answer. */
  renew(): void {
    this.#began = undefined;
  }

  /** Returns the milliseconds until the next attempt. Throws the error if they are more than are left. */
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
