import { type CallOptions, type Calls, type ObserveOptions, type PositionView, query, type ReadOptions, viewName } from "./calls.js";
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
    const status = "FAILED_PRECONDITION";
    if (session.state === "SESSION_STATE_LOBBY") throw new SkerryError("NOT_STARTED", "The game has not started.", { status });
    if (session.state === "SESSION_STATE_CANCELLED") {
      throw new SkerryError("GAME_OVER", "The game was cancelled.", { status });
    }
    throw notAllowed("Only players and invited spectators can see this game.");
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

/** A session without a seat: for joining, hosting and spectating. */
export class Table extends SessionHandle {
  /** Starts, labels and cancels the session, removes players, and opens seats. Only the creator receives it. */
  readonly hostToken: string | undefined;
  /** Lets invited spectators see the game. Pass it on to them. */
  readonly spectatorToken: string | undefined;
  /**
   * The code that joining requires, if the session has one. The host receives it and passes it on. Other players give it
   * to `Client.table`, or set it here before `join`.
   */
  joinCode: string | undefined;

  /** @internal A `Client` creates tables. */
  constructor(calls: Calls, name: string, { hostToken, spectatorToken, joinCode }: TableOptions) {
    super(calls, name, hostToken ?? spectatorToken);
    this.hostToken = hostToken;
    this.spectatorToken = spectatorToken;
    this.joinCode = joinCode;
  }

  override async read(options: ReadOptions = {}): Promise<api.GetSessionResponse> {
    const response = await super.read(options);
    this.joinCode ??= response.joinCode;
    return response;
  }

  /**
   * Takes a seat. The default is the first open seat. The game starts when the last open seat is taken. During a game, a
   * player can join on an abandoned seat that the host has opened. `playerId` is your program's id of the player. Throws
   * `SEAT_TAKEN`, `NAME_TAKEN`, `JOIN_CODE_WRONG`, `ALREADY_STARTED`.
   */
  async join(displayName: string, { seat, playerId, entropy, ...options }: JoinOptions = {}): Promise<Seat> {
    const body = { displayName, seat, playerId, entropy: base64(entropy), joinCode: this.joinCode } satisfies api.JoinSessionRequest;
    const joined = await this.change<api.JoinSessionResponse>("join", body, options, "");
    return new Seat(this.calls, this.name, joined.seatToken, joined.seat);
  }

  /**
   * Starts the game before every seat is taken. Bots take the open seats, or the open seats are removed: then later seats get
   * smaller numbers. Requires the host token. Throws `TOO_FEW_SEATS`, `ALREADY_STARTED`.
   */
  start({ fillWithBots, level, ...options }: StartOptions = {}): Promise<api.Session> {
    return this.changed("start", { fillWithBots, level } satisfies api.StartSessionRequest, options);
  }

  /** Replaces all labels of the session. Requires the host token. Throws `GAME_OVER`. */
  label(labels: Record<string, string>, options: CallOptions = {}): Promise<api.Session> {
    return this.changed("label", { labels } satisfies api.LabelSessionRequest, options);
  }

  /**
   * Removes a player before the game starts. The seat is open again, and its token is no longer valid. Requires the host
   * token. Throws `NO_PLAYER`, `ALREADY_STARTED`.
   */
  remove(seat: number, options: CallOptions = {}): Promise<api.Session> {
    return this.changed("remove", { seat } satisfies api.RemovePlayerRequest, options);
  }

  /**
   * Opens an abandoned seat that a substitute plays. The next player who joins takes it. The previous token is no longer
   * valid. Requires the host token. Throws `SEAT_TAKEN` for a seat that is not abandoned, `NOT_STARTED`, `GAME_OVER`.
   */
  openSeat(seat: number, options: CallOptions = {}): Promise<api.Session> {
    return this.changed("open", { seat } satisfies api.OpenSeatRequest, options);
  }

  /**
   * Cancels the session before the game starts, or when only bots and substitutes still play. Requires the host token.
   * Throws `IN_PLAY`, `GAME_OVER`.
   */
  cancel(options: CallOptions = {}): Promise<api.Session> {
    return this.changed("cancel", {}, options);
  }
}

/** The tokens and the join code for opening a table. */
export interface TableOptions extends CallOptions {
  hostToken?: string | undefined;
  spectatorToken?: string | undefined;
  /** The code that joining requires, if the session has one. Not needed with the host token. */
  joinCode?: string | undefined;
}

/** Options for joining. */
export interface JoinOptions extends CallOptions {
  /** The seat to take, counted from 0. Absent: the first open seat. */
  seat?: number | undefined;
  /** Your program's id of the player. */
  playerId?: string | undefined;
  /**
   * 32 random bytes that the player adds to the seed: `crypto.getRandomValues(new Uint8Array(32))`. Keep them to check the
   * finished game.
   */
  entropy?: Uint8Array | undefined;
}

/** Options for joining a rematch. */
export interface RematchOptions extends CallOptions {
  /** As in `JoinOptions`. */
  entropy?: Uint8Array | undefined;
}

/** Options for starting a game before every seat is taken. */
export interface StartOptions extends CallOptions {
  /** Whether bots take the open seats. */
  fillWithBots?: boolean | undefined;
  /** The level of these bots: one of the game's `levels`. */
  level?: string | undefined;
}

/** Options for making a move. */
export interface ActOptions extends CallOptions {
  /** Checks the move without making it. */
  validateOnly?: boolean | undefined;
  /** How much of the game the response contains after the move. Default: `full`. */
  view?: PositionView | undefined;
}

/** A seat of a session. */
export class Seat extends SessionHandle {
  /** The seat token. `Client.seat` opens the seat again with it. */
  readonly token: string;
  /** The host token, if this seat's `rematch` call created the session. Otherwise empty. */
  readonly hostToken: string;
  readonly #number: number;

  /** @internal A `Table` or a `Client` creates seats. */
  constructor(calls: Calls, name: string, token: string, number: number, hostToken = "") {
    super(calls, name, token);
    this.token = token;
    this.hostToken = hostToken;
    this.#number = number;
  }

  /** The seat's number. It can get smaller when the game starts with open seats. */
  get number(): number {
    return this.lastPosition?.seat ?? this.#number;
  }

  /**
   * Makes a move: one of `legalMoves`, or one that you build. The response has the new entries and the position after them.
   * The move applies to the newest position that this handle knows. If it knows none, it reads the position first. Throws
   * `RULE_BROKEN`, `NOT_YOUR_TURN`, `STALE_SEQUENCE`, `GAME_OVER`, `NOT_STARTED`, `MALFORMED_MOVE`.
   */
  async act(
    move: api.Move | api.MoveInput,
    { validateOnly = false, view = "full", ...options }: ActOptions = {},
  ): Promise<api.ActResponse> {
    const { sequence } = this.lastPosition ?? (await this.position(options));
    const body = {
      move: move as api.MoveInput, // A legal move is sent back as it was received, even if its kind is unknown.
      expectedSequence: sequence,
      validateOnly,
      view: viewName(view),
      sentMs: this.clocks?.serverTimeMs,
    } satisfies api.ActRequest;
    const response = await this.change<api.ActResponse>("act", body, options);
    if (!validateOnly) this.note(response, response.epoch);
    return response;
  }

  /**
   * Takes back this seat's latest move. `Position.undoable` says how often that works. Throws `NOTHING_TO_UNDO`, `TIME_UP`,
   * `STALE_SEQUENCE`, `GAME_OVER`, `NOT_STARTED`.
   */
  async undo({ view = "full", ...options }: Omit<ActOptions, "validateOnly"> = {}): Promise<api.UndoMoveResponse> {
    const { sequence } = this.lastPosition ?? (await this.position(options));
    const body = { expectedSequence: sequence, view: viewName(view) } satisfies api.UndoMoveRequest;
    const response = await this.change<api.UndoMoveResponse>("undo", body, options);
    this.note(response, response.epoch);
    return response;
  }

  /**
   * Yields each position in which this seat must decide, until the game is over: the main loop of a bot. If you do not act
   * on a position, the next one comes only after another seat has moved.
   */
  async *turns(options: Omit<ObserveOptions, "afterSequence"> = {}): AsyncGenerator<api.Position, void, undefined> {
    await this.read(options);
    let shown = "";
    let updates: AsyncGenerator<Update, void, undefined> | undefined;
    try {
      for (;;) {
        options.signal?.throwIfAborted(); // If each act brings the next decision, no other call checks the signal.
        const newest = this.lastPosition;
        if (newest && this.positionKey !== shown) {
          shown = this.positionKey;
          if (newest.outcome) return;
          if (newest.legalMoves.length) {
            yield newest;
            continue;
          }
        }
        // The response to an act has the next position. Observe only when another seat must move.
        updates ??= this.observe({ ...options, afterSequence: newest?.sequence });
        if ((await updates.next()).done) return;
      }
    } finally {
      await updates?.return();
    }
  }

  /**
   * Leaves the seat. In the lobby, the seat is open again and the token is no longer valid. During a game, a substitute
   * plays the seat until `returnToSeat`. Throws `SUBSTITUTE_PLAYS` if a substitute already plays, `GAME_OVER`.
   */
  leave(options: CallOptions = {}): Promise<api.Session> {
    return this.changed("leave", {}, options);
  }

  /** Takes the seat back from its substitute, if it has one. Throws `NOT_STARTED`, `GAME_OVER`, `NOT_ALLOWED`. */
  returnToSeat(options: CallOptions = {}): Promise<api.Session> {
    return this.changed("return", {}, options);
  }

  /**
   * Says something polite to the table, an entry that everybody sees. Throws `LIMIT_REACHED` if the seat sent one just
   * before, `GAME_OVER`, `SUBSTITUTE_PLAYS`; `NOT_STARTED` for `EMOTE_GOOD_GAME` in the lobby.
   */
  emote(emote: api.Emote, options: CallOptions = {}): Promise<api.Session> {
    return this.changed("emote", { emote } satisfies api.SendEmoteRequest, options);
  }

  /**
   * Reminds the player of another seat to act. The reminder appears in the log. Throws `LIMIT_REACHED` if it is too early,
   * `NOT_TO_ACT` if it is not that seat's turn, `NO_PLAYER` for the seat of a bot.
   */
  nudge(seat: number, options: CallOptions = {}): Promise<api.Session> {
    return this.changed("nudge", { seat } satisfies api.NudgeSeatRequest, options);
  }

  /**
   * Takes this player's seat in the rematch of this finished game. The first call creates the rematch; every game has at
   * most one. Each player sits one seat further on. Throws `NOT_FINISHED`, `NOT_ALLOWED` if the seat is no longer kept for
   * the player, `ALREADY_STARTED`, `GAME_OVER`.
   */
  async rematch({ entropy, ...options }: RematchOptions = {}): Promise<Seat> {
    const body = { entropy: base64(entropy) } satisfies api.RematchSessionRequest;
    const { session, seatToken, seat, hostToken } = await this.change<api.RematchSessionResponse>("rematch", body, options);
    return new Seat(this.calls, session.name, seatToken, seat, hostToken);
  }

  /** Resigns: the seat loses. Throws `NOT_STARTED`, `GAME_OVER`, `SUBSTITUTE_PLAYS`. */
  resign(options: CallOptions = {}): Promise<api.Session> {
    return this.changed("resign", {}, options);
  }
}

/** @internal Encodes bytes as JSON has them. Text is already encoded. */
export function base64(bytes: Uint8Array | string | undefined): string | undefined {
  return bytes instanceof Uint8Array ? btoa(String.fromCharCode(...bytes)) : bytes;
}
