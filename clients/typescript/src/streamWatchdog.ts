import { lost } from "./errors.js";
import { after, sleep } from "./timer.js";

/** The tab became visible or the browser came online: an open connection may be dead. */
export const WOKEN = Symbol("woken");
/** The tab has been hidden for a long time. */
export const ASLEEP = Symbol("asleep");

/** A live stream receives something within this time: servers send a heartbeat every 15 seconds. */
const HEARTBEAT_MS = 20_000;

/**
 * Watches the connection of one observer, and the visibility of the tab if there is one. At any time it is in one phase:
 * reading, pausing or asleep. Each phase has a signal, which is aborted with the reason that ends the phase.
 */
export class StreamWatchdog {
  readonly #silenceMs: number;
  readonly #sleepAfterMs: number;
  readonly #signal: AbortSignal | undefined;
  #phase = new AbortController();
  #wakeReasons: readonly symbol[] = [];
  #receivedAt = 0;
  #isAsleep = false;
  #stopTimer = (): void => undefined;
  #stopSleepTimer = (): void => undefined;

  constructor(silenceMs: number, sleepAfterMs: number, signal: AbortSignal | undefined) {
    this.#silenceMs = silenceMs;
    this.#sleepAfterMs = sleepAfterMs;
    this.#signal = signal;
    signal?.addEventListener("abort", this.#onAbort);
    globalThis.addEventListener?.("online", this.#onOnline);
    if (typeof document === "undefined") return;
    document.addEventListener("visibilitychange", this.#onVisibility);
    this.#onVisibility();
  }

  /** Removes all event listeners. */
  close(): void {
    this.#stopSleepTimer();
    this.#signal?.removeEventListener("abort", this.#onAbort);
    globalThis.removeEventListener?.("online", this.#onOnline);
    if (typeof document !== "undefined") document.removeEventListener("visibilitychange", this.#onVisibility);
  }

  /** Starts to read a stream. Waking, falling asleep, the timer and `end` abort the signal. */
  read(): AbortSignal {
    this.#receivedAt = Date.now();
    return this.#begin([WOKEN, ASLEEP]);
  }

  /** Starts the timer: if nothing is received within `ms` milliseconds, the stream counts as dead. */
  expect(ms = this.#silenceMs): void {
    const phase = this.#phase;
    this.#stopTimer();
    this.#stopTimer = after(ms, () => phase.abort(lost(`The stream sent nothing for ${ms / 1000} s.`)));
  }

  /** Stops the timer, because something was received. Comments of the stream count too. */
  received(): void {
    this.#receivedAt = Date.now();
    this.#stopTimer();
  }

  /** Ends the stream. */
  end(): void {
    this.#stopTimer();
    this.#phase.abort();
  }

  /** Waits. Returns early with the reason if one of `wakeReasons` occurs or the caller aborts. */
  async pause(ms: number, wakeReasons: readonly symbol[]): Promise<unknown> {
    this.#receivedAt = 0;
    try {
      return await sleep(ms, this.#begin(wakeReasons));
    } catch (reason) {
      return reason;
    }
  }

  #begin(wakeReasons: readonly symbol[]): AbortSignal {
    this.#phase = new AbortController();
    this.#wakeReasons = wakeReasons;
    if (this.#signal?.aborted) this.#onAbort();
    else if (this.#isAsleep) this.#interrupt(ASLEEP);
    return this.#phase.signal;
  }

  #interrupt(reason: symbol): void {
    if (this.#wakeReasons.includes(reason)) this.#phase.abort(reason);
  }

  readonly #onAbort = (): void => this.#phase.abort(this.#signal?.reason);

  /** The network has changed: connections over the previous network are dead, although no error says so. */
  readonly #onOnline = (): void => {
    if (!this.#isAsleep) this.#interrupt(WOKEN);
  };

  readonly #onVisibility = (): void => {
    this.#stopSleepTimer();
    this.#isAsleep = false;
    if (document.visibilityState === "hidden") {
      this.#stopSleepTimer = after(this.#sleepAfterMs, () => {
        this.#isAsleep = true;
        this.#interrupt(ASLEEP);
      });
    } else if (Date.now() - this.#receivedAt > HEARTBEAT_MS) {
      this.#interrupt(WOKEN);
    }
  };
}
