import { lost } from "./errors.js";
import { after, sleep } from "./timer.js";

/** The tab came back, or came online: whatever was open may be dead. */
export const WOKEN = Symbol("woken");
/** The tab has been hidden for long. */
export const ASLEEP = Symbol("asleep");

/** A living stream has said something within this time: servers send a heartbeat every 15 seconds. */
const HEARTBEAT_MS = 20_000;

/**
 * Watches over the connection of one follower, and hears what happens to the tab where there is one. It does one thing
 * at a time: it reads, pauses or is asleep; each begins with `#begin`, whose signal is aborted with why it is over.
 */
export class Watch {
  readonly #silenceMs: number;
  readonly #sleepAfterMs: number;
  readonly #signal: AbortSignal | undefined;
  #now = new AbortController();
  #heeds: readonly symbol[] = [];
  #heardAt = 0;
  #drowsy = false;
  #stopTimer = (): void => undefined;
  #stopYawning = (): void => undefined;

  constructor(silenceMs: number, sleepAfterMs: number, signal: AbortSignal | undefined) {
    this.#silenceMs = silenceMs;
    this.#sleepAfterMs = sleepAfterMs;
    this.#signal = signal;
    signal?.addEventListener("abort", this.#aborted);
    globalThis.addEventListener?.("online", this.#online);
    if (typeof document === "undefined") return;
    document.addEventListener("visibilitychange", this.#turned);
    this.#turned();
  }

  /** Forgets the tab and the caller. */
  close(): void {
    this.#stopYawning();
    this.#signal?.removeEventListener("abort", this.#aborted);
    globalThis.removeEventListener?.("online", this.#online);
    if (typeof document !== "undefined") document.removeEventListener("visibilitychange", this.#turned);
  }

  /** Begins to read a stream. The signal is aborted when the tab wakes or falls asleep, by the alarm and by `end`. */
  read(): AbortSignal {
    this.#heardAt = Date.now();
    return this.#begin([WOKEN, ASLEEP]);
  }

  /** Sets the alarm: if nothing is heard within that time, the stream is dead. */
  await(ms = this.#silenceMs): void {
    const now = this.#now;
    this.#stopTimer();
    this.#stopTimer = after(ms, () => now.abort(lost(`Nothing was heard of the session for ${ms / 1000} s.`)));
  }

  /** Notes that something was heard, if only a comment, and stops the alarm. */
  heard(): void {
    this.#heardAt = Date.now();
    this.#stopTimer();
  }

  /** Ends what is read. */
  end(): void {
    this.#stopTimer();
    this.#now.abort();
  }

  /** Waits. Returns early with why, if that is one of `heeds` or the caller's own reason. */
  async pause(ms: number, heeds: readonly symbol[]): Promise<unknown> {
    this.#heardAt = 0;
    try {
      return await sleep(ms, this.#begin(heeds));
    } catch (why) {
      return why;
    }
  }

  #begin(heeds: readonly symbol[]): AbortSignal {
    this.#now = new AbortController();
    this.#heeds = heeds;
    if (this.#signal?.aborted) this.#aborted();
    else if (this.#drowsy) this.#interrupt(ASLEEP);
    return this.#now.signal;
  }

  #interrupt(why: symbol): void {
    if (this.#heeds.includes(why)) this.#now.abort(why);
  }

  readonly #aborted = (): void => this.#now.abort(this.#signal?.reason);

  /** The network is another one: what was opened over the last one is dead, though nobody says so. */
  readonly #online = (): void => {
    if (!this.#drowsy) this.#interrupt(WOKEN);
  };

  readonly #turned = (): void => {
    this.#stopYawning();
    this.#drowsy = false;
    if (document.visibilityState === "hidden") {
      this.#stopYawning = after(this.#sleepAfterMs, () => {
        this.#drowsy = true;
        this.#interrupt(ASLEEP);
      });
    } else if (Date.now() - this.#heardAt > HEARTBEAT_MS) {
      this.#interrupt(WOKEN);
    }
  };
}
