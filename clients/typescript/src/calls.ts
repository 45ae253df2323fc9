import { lost, parsed, refusal, SkerryError } from "./errors.js";
import { EventParser, type ServerEvent } from "./eventParser.js";
import { SceneStream } from "./scene.js";
import { RESET, StreamCursor, type Update } from "./streamCursor.js";
import type * as api from "./generated/api.js";
import { Backoff } from "./backoff.js";
import { after, linked, sleep } from "./timer.js";
import { ASLEEP, StreamWatchdog, WOKEN } from "./streamWatchdog.js";

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. The call may have been carried out. */
  signal?: AbortSignal | undefined;
}

/** Options for reading a session. */
export interface ReadOptions extends CallOptions {
  /** Reads the position right after this entry. Any entry since the start is valid. Absent: the newest position. */
  sequence?: number | string | undefined;
  /** How much of the game the position contains. Default: `full`. */
  view?: PositionView | undefined;
}

/**
 * How much of the game a response contains. `scene`: what a frontend draws (`Position.scene`), in place of the view.
 * `full_with_scene`: both. `none`: no position.
 */
export type PositionView = "full" | "scene" | "full_with_scene" | "none";

/** The connection of an observed session. */
export type Connection =
  | { state: "open" }
  /** The connection broke. The client retries after `delayMs`, or sooner when the tab becomes visible. */
  | { state: "waiting"; error: SkerryError; delayMs: number }
  /** The client closed the connection because the tab is hidden. It reconnects when the tab becomes visible. */
  | { state: "asleep" };

/** Options for observing a session. */
export interface ObserveOptions extends CallOptions {
  /** The last sequence that the caller knows, or 0 to get all entries. Absent: only entries from now on. */
  afterSequence?: number | string | undefined;
  /** How much of the game the updates contain. Default: `full`. */
  view?: PositionView | undefined;
  /** Called whenever the connection changes. */
  onConnection?: ((connection: Connection) => void) | undefined;
}

/** The settings of a client. */
export interface Settings {
  /** The address of the API, without `/v1`. */
  base: string;
  timeoutMs: number;
  retryForMs: number;
  silenceMs: number;
  sleepAfterMs: number;
  cell: string | undefined;
  fetch: typeof fetch;
}

/** A call over REST. */
export interface Call {
  path: string;
  token?: string | undefined;
  body?: object | undefined;
  /** The ticket that the body names. */
  ticket?: string | undefined;
}

/** Makes HTTP calls with retries, and observes sessions over as many streams as necessary. */
export class Calls {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Returns a new request id: a random UUID. The server carries out a call once per request id. */
  newId(): string {
    // `crypto.randomUUID` is not available to pages without TLS, for example in a home network.
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, "$1-$2-4$3-8$4-"); // 4: a random UUID; 8: the standard layout
  }

  /** Makes a call, and retries it unchanged while the server is unavailable. The request id makes retries safe. */
  async call<Answer>(call: Call, { signal }: CallOptions): Promise<Answer> {
    const backoff = new Backoff(this.#settings.retryForMs);
    for (;;) {
      try {
        return parsed<Answer>(await this.#attempt(call, signal));
      } catch (error) {
        if (!(error instanceof SkerryError && error.unavailable)) throw error;
        await sleep(backoff.next(error), signal);
      }
    }
  }

  /** Attempts a call once, and returns the text of the response. */
  async #attempt(call: Call, signal: AbortSignal | undefined): Promise<string> {
    const { timeoutMs } = this.#settings;
    const [controller, unlink] = linked(signal);
    const stop = after(timeoutMs, () => {
      const sentence = `The server did not respond within ${timeoutMs / 1000} s.`;
      controller.abort(new SkerryError("TIMED_OUT", sentence, { status: "DEADLINE_EXCEEDED" }));
    });
    try {
      const response = await this.#send(call, controller.signal);
      const text = await received(response.text(), controller.signal);
      if (!response.ok) throw refusal(text, response);
      return text;
    } finally {
      stop();
      unlink();
    }
  }

  #send({ path, token, body, ticket }: Call, signal: AbortSignal): Promise<Response> {
    // A name or ticket ends with its cell.
    const cell = /^(\w+\/)?[-\w]+\.([-\w]+)/.exec(ticket ?? path)?.[2] ?? this.#settings.cell;
    // Built before the fetch, so that an invalid token is a TypeError and not a lost connection.
    const headers = new Headers({
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body && { "Content-Type": "application/json" }),
      ...(cell && { "Skerry-Cell": cell }),
    });
    const sent = body ? { method: "POST", body: JSON.stringify(body) } : {};
    const { base, fetch } = this.#settings;
    // Redirects are not followed: to another origin they drop the token, and they turn a POST into a GET.
    return received(fetch(`${base}/v1/${path}`, { ...sent, headers, signal, redirect: "manual" }), signal);
  }

  /** Observes a session to its end. Heartbeats are skipped. `epoch` is the epoch of `afterSequence`, if it is known. */
  async *observe(
    name: string,
    token: string | undefined,
    { afterSequence, view, signal, onConnection }: ObserveOptions,
    epoch: string | undefined,
  ): AsyncGenerator<Update, void, undefined> {
    const scenes = new SceneStream();
    const cursor = new StreamCursor(afterSequence === undefined ? undefined : Number(afterSequence), epoch);
    for (;;) {
      try {
        const next = (): Call => ({ path: `${name}:observe${query({ afterSequence: cursor.next(), view: viewName(view) })}`, token });
        for await (const message of this.follow<api.ObserveResponse>(next, signal, onConnection)) {
          const update = cursor.take(scenes.complete(message));
          if (update) yield update;
        }
        return;
      } catch (error) {
        if (error !== RESET && !cursor.isAhead(error)) throw error;
        cursor.forget();
      }
    }
  }

  /** Yields the messages of a call until its stream ends. `next` returns the call of the next stream. */
  async *follow<Message>(
    next: () => Call,
    signal: AbortSignal | undefined,
    onConnection: ObserveOptions["onConnection"],
  ): AsyncGenerator<Message, void, undefined> {
    const { retryForMs, silenceMs, sleepAfterMs } = this.#settings;
    const backoff = new Backoff(retryForMs);
    const watchdog = new StreamWatchdog(silenceMs, sleepAfterMs, signal);
    try {
      for (;;) {
        try {
          for await (const message of this.#stream<Message>(next(), watchdog, () => onConnection?.({ state: "open" }))) {
            backoff.renew();
            yield message;
          }
          return;
        } catch (error) {
          await recover(error, backoff, watchdog, onConnection);
        }
      }
    } finally {
      watchdog.close();
    }
  }

  /** Yields the messages of one stream, until the server ends it. Throws whatever else ends the stream. */
  async *#stream<Message>(
    call: Call,
    watchdog: StreamWatchdog,
    opened: () => void,
  ): AsyncGenerator<Message, void, undefined> {
    const signal = watchdog.read();
    try {
      watchdog.expect(this.#settings.timeoutMs);
      const response = await this.#send(call, signal);
      if (!response.ok || !response.body) throw refusal(await received(response.text(), signal), response);
      opened();
      for await (const { event, data } of events(response.body, watchdog, signal)) {
        signal.throwIfAborted(); // One chunk can contain several events.
        if (event === "end") return;
        if (event === "refusal") throw refusal(data);
        if (!event) yield parsed<Message>(data);
      }
      throw lost("The stream ended.");
    } finally {
      watchdog.end();
    }
  }
}

/** Returns the query of a path, without the parameters that are `undefined`. */
export function query(parameters: Readonly<Record<string, number | string | undefined>>): string {
  const given = `${new URLSearchParams(JSON.parse(JSON.stringify(parameters)) as Record<string, string>)}`;
  return given && `?${given}`;
}

/** Returns the wire name of how much of the game a response contains. */
export function viewName(view: PositionView | undefined): api.PositionView | undefined {
  return view && (`POSITION_VIEW_${view.toUpperCase()}` as api.PositionView);
}

/** Yields the events of a stream. Every byte resets the watchdog, so comments do too. */
async function* events(
  body: ReadableStream<Uint8Array>,
  watchdog: StreamWatchdog,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent, void, undefined> {
  const parser = new EventParser();
  const text = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    watchdog.expect();
    const { done, value } = await received(reader.read(), signal);
    watchdog.received();
    if (done) return;
    yield* parser.feed(text.decode(value, { stream: true }));
  }
}

/** Waits for data from the network. Rejects with the signal's reason, or with `CONNECTION_LOST`. */
async function received<T>(data: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await data;
  } catch (error) {
    throw signal.aborted ? signal.reason : lost("The connection to the server failed.", error);
  }
}

/** Waits until a stream can be opened again after an error. Throws errors that a retry cannot fix. */
async function recover(
  error: unknown,
  backoff: Backoff,
  watchdog: StreamWatchdog,
  onConnection: ObserveOptions["onConnection"],
): Promise<void> {
  let reason = error;
  if (reason instanceof SkerryError && reason.unavailable) {
    const delayMs = backoff.next(reason);
    onConnection?.({ state: "waiting", error: reason, delayMs });
    // A delay that the server asked for is never shortened.
    reason = await watchdog.pause(delayMs, reason.retryAfterMs ? [] : [WOKEN, ASLEEP]);
  }
  if (reason === ASLEEP) {
    onConnection?.({ state: "asleep" });
    reason = await watchdog.pause(Infinity, [WOKEN]);
  }
  if (reason === WOKEN) return backoff.renew();
  if (reason !== undefined) throw reason;
}
