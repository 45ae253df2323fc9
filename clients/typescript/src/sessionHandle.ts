import { type CallOptions, type Calls, type ObserveOptions, query, type ReadOptions, viewName } from "./calls.js";
import { notAllowed, SkerryError } from "./errors.js";
import type { Update } from "./streamCursor.js";
import type * as api from "./generated/api.js";

/** A handle of a session, with or without a seat. */
export class SessionHandle {
  /** `sessions/{id}`. */
  readonly name: string;
  protected readonly calls: Calls;
  readonly #token: string | undefined;
  #epoch: string | undefined;
  #last: api.Position | undefined;
  /** The newest clocks received, and the time of receipt by the machine's monotonic clock. */
  #clocks: readonly [api.Clocks, number] | undefined;

  /** @internal A `Client` creates tables and seats. */
  constructor(calls: Calls, name: string, token: string | undefined) {
    this.calls = calls;
    this.name = name;
    this.#token = token;
  }

  /** The newest position that this handle has received, from any call. */
  get lastPosition(): api.Position | undefined {
    return this.#last;
  }

  /**
   * The clocks as of now: the clocks last received, with `serverTimeMs` advanced to the present. `undefined` without a time
   * control, and before anything was received. A seat with a deadline has `deadlineMs - serverTimeMs` left.
   */
  get clocks(): api.Clocks | undefined {
    if (!this.#clocks) return undefined;
    const [clocks, received] = this.#clocks;
    const now = Number(clocks.serverTimeMs) + performance.now() - received;
    return { ...clocks, serverTimeMs: now.toFixed() };
  }

  /** Reads the public part of the session: seats, state, sequence, commitment and, after the end, outcome and seed. */
  async session(options: CallOptions = {}): Promise<api.Session> {
    return (await this.read(options)).session;
  }

  /**
   * Reads the position as the holder of this handle may see it: view, legal moves, seats to act, sequence. Throws
   * `NOT_STARTED` in the lobby, `GAME_OVER` if the session was cancelled there, `NOT_ALLOWED` if the session does not show
   * its game to this handle, `SEQUENCE_AHEAD`.
   */
  async position(options: ReadOptions = {}): Promise<api.Position> {
    const { position, session } = await this.read(options);
    if (position) return position;
    const isLobby = session.state === "SESSION_STATE_LOBBY";
    if (isLobby || session.state === "SESSION_STATE_CANCELLED") {
      const sentence = isLobby ? "The game has not started." : "The game was cancelled.";
      throw new SkerryError(isLobby ? "NOT_STARTED" : "GAME_OVER", sentence, { status: "FAILED_PRECONDITION" });
    }
    throw notAllowed("You may not see this game.");
  }

  /**
   * Observes the session until the game is over: yields every entry once and in order, as soon as it is stored. The first
   * update arrives at once and has the position. The client resumes after lost connections and server restarts without
   * missing an entry. If it cannot resume, it yields an update with `reset`. Leave the loop to close the stream.
   */
  async *observe(options: ObserveOptions = {}): AsyncGenerator<Update, void, undefined> {
    const after = options.afterSequence;
    const known = after !== undefined && this.#last && Number(after) <= Number(this.#last.sequence);
    for await (const update of this.calls.observe(this.name, this.#token, options, known ? this.#epoch : undefined)) {
      this.note(update, update.epoch);
      yield update;
    }
  }

  /** Reads the whole log as the holder of this handle may see it. After the end it is complete, with the seed. */
  async replay(options: CallOptions = {}): Promise<api.Replay> {
    return (await this.#ask<api.GetReplayResponse>("/replay", options)).replay;
  }

  /**
   * Lists the entries after `afterSequence` (0: all), as the holder of this handle may see them: up to 100. If the last one
   * is not `sequence`, ask for more after it. To follow the session, use `observe`.
   */
  entries(afterSequence: string | number, options: CallOptions = {}): Promise<api.ListEntriesResponse> {
    return this.#ask(`/entries${query({ afterSequence })}`, options);
  }

  /**
   * Explains why the holder of this handle cannot play a place or piece of the scene now: a sentence, and the id of the rule
   * that says so. `chosen`: the ids that were touched before it, as in `Choice.ids`. Throws `NOT_STARTED`, `NOT_ALLOWED`.
   */
  explain(target: string, chosen: string[] = [], options: CallOptions = {}): Promise<api.ExplainTargetResponse> {
    return this.#ask(":explain", options, { target, chosen } satisfies api.ExplainTargetRequest);
  }

  /** Reads how the chances to win changed in this finished game. Repeat it until `complete`. Throws `NOT_FINISHED`, `NOT_ALLOWED`. */
  analysis(options: CallOptions = {}): Promise<api.GetAnalysisResponse> {
    return this.#ask("/analysis", options);
  }

  /** Asks what a strong player would do in this seat: a move, and a sentence. Throws `NOT_ALLOWED` without hints, `NOT_YOUR_TURN`. */
  hint(options: CallOptions = {}): Promise<api.GetHintResponse> {
    return this.#ask("/hint", options);
  }

  /**
   * Sets the webhook of this seat, or of the whole session for the host. The operator must allow the URL. `events` selects
   * the events to send. A new URL replaces the previous one; an empty URL removes the webhook. The response has the
   * `secret` that signs the deliveries, unless the webhook was removed. Throws `NOT_ALLOWED`, `INVALID_FIELD`,
   * `GAME_OVER`.
   */
  setWebhook(url: string, events?: api.WebhookEvent[], options: CallOptions = {}): Promise<api.SetWebhookResponse> {
    return this.change("setWebhook", { url, events } satisfies api.SetWebhookRequest, options);
  }

  /** Reads the session and, if this handle may see it, the position, in one call. */
  async read(options: ReadOptions = {}): Promise<api.GetSessionResponse> {
    const { sequence, view } = options;
    const response = await this.#ask<api.GetSessionResponse>(query({ sequence, view: viewName(view) }), options);
    if (sequence === undefined) this.note(response, response.session.epoch);
    return response;
  }

  /** Makes a call with this handle's token that changes nothing. `path` follows the name. */
  #ask<Answer>(path: string, options: CallOptions, body?: object): Promise<Answer> {
    return this.calls.call<Answer>({ path: this.name + path, token: this.#token, body }, options);
  }

  /** Makes a call that changes the session. Its request id makes sure that retries take effect once. */
  protected change<Answer>(verb: string, body: object, options: CallOptions, token = this.#token): Promise<Answer> {
    const request = { path: `${this.name}:${verb}`, token, body: { ...body, requestId: this.calls.newId() } };
    return this.calls.call<Answer>(request, options);
  }

  /** Makes such a call with this handle's token, and returns the session. */
  protected async changed(verb: string, body: object, options: CallOptions): Promise<api.Session> {
    return (await this.change<{ session: api.Session }>(verb, body, options)).session;
  }

  /** Stores a position and its clocks, unless a newer position of the same epoch is known. */
  protected note({ position, clocks }: { position?: api.Position; clocks?: api.Clocks }, epoch: string): void {
    const last = this.#last;
    if (this.#epoch === epoch && last && position && Number(last.sequence) > Number(position.sequence)) return;
    this.#epoch = epoch;
    if (clocks) this.#clocks = [clocks, performance.now()];
    if (position) this.#last = position;
  }

  /** The identity of the newest position: its epoch and sequence. */
  protected get positionKey(): string {
    return `${this.#epoch} ${this.#last?.sequence}`;
  }
}

/** @internal Encodes bytes as JSON has them. Text is already encoded. */
export function base64(bytes: Uint8Array | string | undefined): string | undefined {
  return bytes instanceof Uint8Array ? btoa(String.fromCharCode(...bytes)) : bytes;
}
