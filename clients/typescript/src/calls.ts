import { createParser, type EventSourceMessage } from "eventsource-parser";
import { lost, parsed, refusal, SkerryError } from "./errors.js";
import { ANEW, Follower, type Update } from "./follower.js";
import type * as api from "./generated/api.js";
import { Patience } from "./patience.js";
import { after, linked, sleep } from "./timer.js";
import { ASLEEP, Watch, WOKEN } from "./watch.js";

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, which then throws the signal's reason. Whether it was carried out is not known. */
  signal?: AbortSignal | undefined;
}

/** What is read of a session. */
export interface ReadOptions extends CallOptions {
  /** The position as it was right after this entry, any since the game began. Absent: the newest. */
  sequence?: number | string | undefined;
}

/** How a followed session is connected. */
export type Connection =
  | { state: "open" }
  /** It broke, and is tried again after `delayMs`, or sooner when the tab wakes. */
  | { state: "waiting"; error: SkerryError; delayMs: number }
  /** It was closed because the tab has been hidden for long, and is opened when that ends. */
  | { state: "asleep" };

/** How a session is followed. */
export interface ObserveOptions extends CallOptions {
  /** 0 for everything from the first entry, or the last sequence that is known. Absent: from now on. */
  afterSequence?: number | string | undefined;
  /** Is told whenever the connection changes. */
  onConnection?: ((connection: Connection) => void) | undefined;
}

/** How patient a client is. */
export interface Settings {
  /** The address of the API, without `/v1`. */
  base: string;
  timeoutMs: number;
  retryForMs: number;
  silenceMs: number;
  sleepAfterMs: number;
  fetch: typeof fetch;
}

interface Asked {
  path: string;
  token?: string | undefined;
  body?: object | undefined;
}

/** Makes calls that are repeated until they are answered, and follows sessions over as many streams as it takes. */
export class Calls {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Returns a request id: a random UUID. Whatever is repeated under it is done once. */
  newId(): string {
    // Not `crypto.randomUUID`: pages served without TLS, as on the network at home, do not have it.
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, "$1-$2-4$3-8$4-"); // 4, 8: by chance, in the common layout
  }

  /** Makes a call and repeats it unchanged while the server is unavailable. A request id makes that safe. */
  async call<Answer>(asked: Asked, { signal }: CallOptions): Promise<Answer> {
    const patience = new Patience(this.#settings.retryForMs);
    for (;;) {
      try {
        return parsed<Answer>(await this.#attempt(asked, signal));
      } catch (error) {
        if (!(error instanceof SkerryError && error.unavailable)) throw error;
        await sleep(patience.next(error), signal);
      }
    }
  }

  /** Makes one attempt at a call and returns the text of the answer. */
  async #attempt(asked: Asked, signal: AbortSignal | undefined): Promise<string> {
    const { timeoutMs } = this.#settings;
    const [controller, part] = linked(signal);
    const stop = after(timeoutMs, () => {
      const sentence = `There was no answer within ${timeoutMs / 1000} s.`;
      controller.abort(new SkerryError("TIMED_OUT", sentence, { status: "DEADLINE_EXCEEDED" }));
    });
    try {
      const response = await this.#send(asked, controller.signal);
      const text = await arriving(response.text(), controller.signal);
      if (!response.ok) throw refusal(text, response);
      return text;
    } finally {
      stop();
      part();
    }
  }

  #send({ path, token, body }: Asked, signal: AbortSignal): Promise<Response> {
    // By themselves: a token that no header can hold is a TypeError, and no lost connection.
    const headers = new Headers({
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body && { "Content-Type": "application/json" }),
    });
    const sent = body ? { method: "POST", body: JSON.stringify(body) } : {};
    const { base, fetch } = this.#settings;
    // To another address a redirect takes no token along, and makes a GET of a POST.
    return arriving(fetch(`${base}/v1/${path}`, { ...sent, headers, signal, redirect: "manual" }), signal);
  }

  /** Follows a session to its end. Heartbeats are not passed on. `epoch`: that of `afterSequence`, if it is known. */
  async *observe(
    name: string,
    token: string | undefined,
    { afterSequence, signal, onConnection }: ObserveOptions,
    epoch: string | undefined,
  ): AsyncGenerator<Update, void, undefined> {
    const { retryForMs, silenceMs, sleepAfterMs } = this.#settings;
    const follower = new Follower(afterSequence === undefined ? undefined : Number(afterSequence), epoch);
    const patience = new Patience(retryForMs);
    const watch = new Watch(silenceMs, sleepAfterMs, signal);
    try {
      for (;;) {
        try {
          const asked = { path: `${name}:observe${follower.query()}`, token };
          for await (const message of this.#stream(asked, watch, () => onConnection?.({ state: "open" }))) {
            patience.renew();
            const update = follower.take(message);
            if (update) yield update;
          }
          return;
        } catch (error) {
          await recover(error, follower, patience, watch, onConnection);
        }
      }
    } finally {
      watch.close();
    }
  }

  /** Yields the messages of one stream. Ends when the game is over; whatever else ends the stream is thrown. */
  async *#stream(
    asked: Asked,
    watch: Watch,
    opened: () => void,
  ): AsyncGenerator<api.ObserveResponse, void, undefined> {
    const signal = watch.read();
    try {
      watch.await(this.#settings.timeoutMs);
      const response = await this.#send(asked, signal);
      if (!response.ok || !response.body) throw refusal(await arriving(response.text(), signal), response);
      opened();
      for await (const { event, data } of events(response.body, watch, signal)) {
        signal.throwIfAborted(); // several events can have come at once
        if (event === "end") return;
        if (event === "refusal") throw refusal(data);
        if (!event) yield parsed<api.ObserveResponse>(data);
      }
      throw lost("The stream ended before the game did.");
    } finally {
      watch.end();
    }
  }
}

/** Yields the events of a stream. The watch hears of every byte, and so of comments too. */
async function* events(
  body: ReadableStream<Uint8Array>,
  watch: Watch,
  signal: AbortSignal,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const ready: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => ready.push(event) });
  const text = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    watch.await();
    const { done, value } = await arriving(reader.read(), signal);
    watch.heard();
    if (done) return;
    parser.feed(text.decode(value, { stream: true }));
    yield* ready.splice(0);
  }
}

/** Waits for what comes over the network. Rejects with why the signal was aborted, or else with a lost connection. */
async function arriving<T>(what: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await what;
  } catch (error) {
    throw signal.aborted ? signal.reason : lost("There is no connection to the server, or it broke.", error);
  }
}

/** Does what is to be done before a stream is opened again, or throws what cannot be helped. */
async function recover(
  error: unknown,
  follower: Follower,
  patience: Patience,
  watch: Watch,
  tell: ObserveOptions["onConnection"],
): Promise<void> {
  let why = error;
  if (why === ANEW || follower.outrun(why)) return follower.forget();
  if (why instanceof SkerryError && why.unavailable) {
    const delayMs = patience.next(why);
    tell?.({ state: "waiting", error: why, delayMs });
    // What a server asks for is not cut short.
    why = await watch.pause(delayMs, why.retryAfterMs ? [] : [WOKEN, ASLEEP]);
  }
  if (why === ASLEEP) {
    tell?.({ state: "asleep" });
    why = await watch.pause(Infinity, [WOKEN]);
  }
  if (why === WOKEN) return patience.renew();
  if (why !== undefined) throw why;
}
