import type { CallOptions, Calls, ObserveOptions, ReadOptions } from "./calls.js";
import { notAllowed, SkerryError } from "./errors.js";
import type { Update } from "./follower.js";
import type * as api from "./generated/api.js";

/** What whoever follows a session can do, with or without a seat. */
export class Onlooker {
  /** `sessions/{id}`. */
  readonly name: string;
  protected readonly calls: Calls;
  readonly #token: string | undefined;
  #epoch: string | undefined;
  #last: api.Position | undefined;
  /** The newest that were received, and when, by the clock of this machine that nobody sets. */
  #clocks: readonly [api.Clocks, number] | undefined;

  /** @internal Tables and seats come from a `Client`. */
  constructor(calls: Calls, name: string, token: string | undefined) {
    this.calls = calls;
    this.name = name;
    this.#token = token;
  }

  /** The newest position that this handle has received, by whatever call. */
  get lastPosition(): api.Position | undefined {
    return this.#last;
  }

  /**
   * The clocks as they stand now: those last received, with `serverTimeMs` counted on since. `undefined` where time is
   * not measured, or nothing was received yet. A seat has `deadlineMs - serverTimeMs` left, if it has a deadline.
   */
  get clocks(): api.Clocks | undefined {
    if (!this.#clocks) return undefined;
    const [clocks, received] = this.#clocks;
    const now = Number(clocks.serverTimeMs) + performance.now() - received;
    return { ...clocks, serverTimeMs: now.toFixed() };
  }

  /** Reads what everybody may know: seats, state, sequence, commitment, in the end outcome and seed. */
  async session(options: CallOptions = {}): Promise<api.Session> {
    return (await this.read(options)).session;
  }

  /**
   * Reads the game as this handle's holder may see it: view, legal moves, who is to act, sequence. Throws `NOT_STARTED`
   * in the lobby, `GAME_OVER` where it was called off there, `NOT_ALLOWED` where the session does not show its game,
   * `SEQUENCE_AHEAD`.
   */
  async position(options: ReadOptions = {}): Promise<api.Position> {
    const { position, session } = await this.read(options);
    if (position) return position;
    const status = "FAILED_PRECONDITION";
    if (session.state === "SESSION_STATE_LOBBY") throw new SkerryError("NOT_STARTED", "The game has not begun.", { status });
    if (session.state === "SESSION_STATE_CANCELLED") {
      throw new SkerryError("GAME_OVER", "The game was called off before it began.", { status });
    }
    throw notAllowed("This session shows its game to its seats and guests.");
  }

  /**
   * Follows the session: every entry once, in order, as soon as it is stored, until the game is over. The first update
   * comes at once and has the position. Lost connections and restarted servers are bridged; what happened meanwhile
   * comes late, nothing is left out. Where that cannot be promised, an update is `anew`. Leave the loop to end it.
   */
  async *observe(options: ObserveOptions = {}): AsyncGenerator<Update, void, undefined> {
    const after = options.afterSequence;
    const known = after !== undefined && this.#last && Number(after) <= Number(this.#last.sequence);
    for await (const update of this.calls.observe(this.name, this.#token, options, known ? this.#epoch : undefined)) {
      this.note(update, update.epoch);
      yield update;
    }
  }

  /** Reads the whole log as this handle's holder may see it: once the game is over all of it, with the seed. */
  async replay(options: CallOptions = {}): Promise<api.Replay> {
    const asked = { path: `${this.name}/replay`, token: this.#token };
    return (await this.calls.call<api.GetReplayResponse>(asked, options)).replay;
  }

  /**
   * Has the service tell an address, which its operator has allowed, what happens: of this seat, or for the host of all.
   * `events` chooses some of it. The answer has the `secret` that it signs with. Another one replaces it, an empty `url` ends it: then there is no
   * secret. Throws `NOT_ALLOWED`, `INVALID_FIELD`, `GAME_OVER`.
   */
  setWebhook(url: string, events?: api.WebhookEvent[], options: CallOptions = {}): Promise<api.SetWebhookResponse> {
    return this.change("setWebhook", { url, events } satisfies api.SetWebhookRequest, options);
  }

  /** Reads the session and, where it may be seen, the position, in one call. */
  async read(options: ReadOptions = {}): Promise<api.GetSessionResponse> {
    const past = options.sequence === undefined ? "" : `?sequence=${options.sequence}`;
    const asked = { path: `${this.name}${past}`, token: this.#token };
    const answer = await this.calls.call<api.GetSessionResponse>(asked, options);
    if (!past) this.note(answer, answer.session.epoch);
    return answer;
  }

  /** Makes a call that changes something: under a request id, so that it is done once however often it is repeated. */
  protected change<Answer>(verb: string, body: object, options: CallOptions, token = this.#token): Promise<Answer> {
    const asked = { path: `${this.name}:${verb}`, token, body: { ...body, requestId: this.calls.newId() } };
    return this.calls.call<Answer>(asked, options);
  }

  /** Makes such a call under the token of this handle whose answer is the session. */
  protected async changed(verb: string, body: object, options: CallOptions): Promise<api.Session> {
    return (await this.change<{ session: api.Session }>(verb, body, options)).session;
  }

  /** Remembers a position and its clocks, unless a newer one is known. After a change of epoch nothing is newer. */
  protected note({ position, clocks }: { position?: api.Position; clocks?: api.Clocks }, epoch: string): void {
    const last = this.#last;
    if (this.#epoch === epoch && last && position && Number(last.sequence) > Number(position.sequence)) return;
    this.#epoch = epoch;
    if (clocks) this.#clocks = [clocks, performance.now()];
    if (position) this.#last = position;
  }

  /** What a position is known by: its sequence, in the epoch that it belongs to. */
  protected get reached(): string {
    return `${this.#epoch} ${this.#last?.sequence}`;
  }
}

/** A session without a seat at it: join, start, look on. */
export class Table extends Onlooker {
  /** Starts, labels and calls off the session, removes players, and opens seats. Only its creator has it. */
  readonly hostToken: string | undefined;
  /** Lets others look on where spectators are invited. Pass it to them. */
  readonly spectatorToken: string | undefined;
  /**
   * Lets others take a seat where the session asks for a code: pass it on. The host is told it, and whoever else comes
   * names it to `Client.table`, or here before `join`.
   */
  joinCode: string | undefined;

  /** @internal Tables come from a `Client`. */
  constructor(calls: Calls, name: string, { hostToken, spectatorToken, joinCode }: TableOptions) {
    super(calls, name, hostToken ?? spectatorToken);
    this.hostToken = hostToken;
    this.spectatorToken = spectatorToken;
    this.joinCode = joinCode;
  }

  override async read(options: ReadOptions = {}): Promise<api.GetSessionResponse> {
    const answer = await super.read(options);
    this.joinCode ??= answer.joinCode;
    return answer;
  }

  /**
   * Takes a seat, the first open one if none is named. Whoever takes the last open seat starts the game; in play it is
   * taken from the substitute on a leaver's seat that the host has opened. `playerId` is what your program knows the player by. Throws `SEAT_TAKEN`, `NAME_TAKEN`, `JOIN_CODE_WRONG`, `ALREADY_STARTED`.
   */
  async join(displayName: string, { seat, playerId, ...options }: JoinOptions = {}): Promise<Seat> {
    const body = { displayName, seat, playerId, joinCode: this.joinCode } satisfies api.JoinSessionRequest;
    const joined = await this.change<api.JoinSessionResponse>("join", body, options, "");
    return new Seat(this.calls, this.name, joined.seatToken, joined.seat);
  }

  /**
   * Starts before every seat is taken. Open seats go to bots, or away: then seats close up and change number.
   * Needs the host token. Throws `TOO_FEW_SEATS`, `ALREADY_STARTED`.
   */
  start({ fillWithBots, level, ...options }: StartOptions = {}): Promise<api.Session> {
    return this.changed("start", { fillWithBots, level } satisfies api.StartSessionRequest, options);
  }

  /** Replaces the session's labels, all of them. Needs the host token. Throws `GAME_OVER`. */
  label(labels: Record<string, string>, options: CallOptions = {}): Promise<api.Session> {
    return this.changed("label", { labels } satisfies api.LabelSessionRequest, options);
  }

  /**
   * Removes the player of a seat before the game begins: the seat is open again, its token void. Needs the host token.
   * Throws `NO_PLAYER`, `ALREADY_STARTED`.
   */
  remove(seat: number, options: CallOptions = {}): Promise<api.Session> {
    return this.changed("remove", { seat } satisfies api.RemovePlayerRequest, options);
  }

  /**
   * Opens a leaver's seat, which a substitute plays: whoever joins next takes it, and the leaver's token is void. Needs
   * the host token. Throws `SEAT_TAKEN` for a seat that is no leaver's, `NOT_STARTED`, `GAME_OVER`.
   */
  openSeat(seat: number, options: CallOptions = {}): Promise<api.Session> {
    return this.changed("open", { seat } satisfies api.OpenSeatRequest, options);
  }

  /**
   * Calls the session off: before its game begins, or once nobody but bots and substitutes plays it. Needs the host
   * token. Throws `IN_PLAY`, `GAME_OVER`.
   */
  cancel(options: CallOptions = {}): Promise<api.Session> {
    return this.changed("cancel", {}, options);
  }
}

/** What somebody who comes to a table has been given. */
export interface TableOptions extends CallOptions {
  hostToken?: string | undefined;
  spectatorToken?: string | undefined;
  /** What the host has told you, where the session asks for it. Whoever has the host token need not know it. */
  joinCode?: string | undefined;
}

/** How a seat is taken. */
export interface JoinOptions extends CallOptions {
  /** The seat wanted, from 0. */
  seat?: number | undefined;
  /** What your program knows the player by. */
  playerId?: string | undefined;
}

/** How a game is started before every seat is taken. */
export interface StartOptions extends CallOptions {
  /** Whether open seats go to bots. */
  fillWithBots?: boolean | undefined;
  /** How those bots decide: one of the game's `levels`. */
  level?: string | undefined;
}

/** How a move is made. */
export interface ActOptions extends CallOptions {
  /** Check everything and do nothing. */
  validateOnly?: boolean | undefined;
}

/** A seat of a session, held by its token. */
export class Seat extends Onlooker {
  /** Plays the seat. Whoever keeps it can come back to the seat with `Client.seat`. */
  readonly token: string;
  /** Opens the table to its host (`Client.table`), where this seat has made the session by `rematch`; else empty. */
  readonly hostToken: string;
  readonly #number: number;

  /** @internal Seats come from a `Table` or a `Client`. */
  constructor(calls: Calls, name: string, token: string, number: number, hostToken = "") {
    super(calls, name, token);
    this.token = token;
    this.hostToken = hostToken;
    this.#number = number;
  }

  /** The seat's number. It can become smaller when the game starts with seats left open. */
  get number(): number {
    return this.lastPosition?.seat ?? this.#number;
  }

  /**
   * Makes a move: one of `legalMoves`, or one that you put together. The answer has what followed, and the position
   * after it. The move is decided on the newest position that this handle knows; a seat that has never looked looks
   * first. Throws `RULE_BROKEN`, `NOT_YOUR_TURN`, `STALE_SEQUENCE`, `GAME_OVER`, `NOT_STARTED`, `MALFORMED_MOVE`.
   */
  async act(
    move: api.Move | api.MoveInput,
    { validateOnly = false, ...options }: ActOptions = {},
  ): Promise<api.ActResponse> {
    const { sequence } = this.lastPosition ?? (await this.position(options));
    const body = {
      move: move as api.MoveInput, // of a newer server's kinds too: it is sent back as it was listed
      expectedSequence: sequence,
      validateOnly,
      view: "POSITION_VIEW_FULL",
      sentMs: this.clocks?.serverTimeMs,
    } satisfies api.ActRequest;
    const answer = await this.change<api.ActResponse>("act", body, options);
    if (!validateOnly) this.note(answer, answer.epoch);
    return answer;
  }

  /**
   * Yields each position in which this seat owes a decision, until the game is over: the loop of a bot.
   * Whoever does not act on a position gets the next one only when somebody else has moved.
   */
  async *turns(options: Omit<ObserveOptions, "afterSequence"> = {}): AsyncGenerator<api.Position, void, undefined> {
    await this.read(options);
    let shown = "";
    let updates: AsyncGenerator<Update, void, undefined> | undefined;
    try {
      for (;;) {
        options.signal?.throwIfAborted(); // no call may be made for long: each act has brought the next decision
        const newest = this.lastPosition;
        if (newest && this.reached !== shown) {
          shown = this.reached;
          if (newest.outcome) return;
          if (newest.legalMoves.length) {
            yield newest;
            continue;
          }
        }
        // The answer to an act has shown what comes next, unless it is for somebody else to move.
        updates ??= this.observe({ ...options, afterSequence: newest?.sequence });
        if ((await updates.next()).done) return;
      }
    } finally {
      await updates?.return();
    }
  }

  /**
   * Leaves the seat: open again in the lobby, where the token is void then; a substitute's in play, from whom `comeBack`
   * takes it. Throws `SUBSTITUTE_PLAYS` where one plays already, `GAME_OVER`.
   */
  leave(options: CallOptions = {}): Promise<api.Session> {
    return this.changed("leave", {}, options);
  }

  /** Takes the seat back from its substitute, if one plays it. Throws `NOT_STARTED`, `GAME_OVER`, `NOT_ALLOWED`. */
  comeBack(options: CallOptions = {}): Promise<api.Session> {
    return this.changed("return", {}, options);
  }

  /**
   * Reminds the player of another seat that it is to act; everybody at the table sees it. Throws `LIMIT_REACHED` while
   * it is too soon, `NOT_TO_ACT` for a seat that owes nothing, `NO_PLAYER` for a bot's.
   */
  nudge(seat: number, options: CallOptions = {}): Promise<api.Session> {
    return this.changed("nudge", { seat } satisfies api.NudgeSeatRequest, options);
  }

  /**
   * Takes this player's seat in the rematch of this finished game, one further on; makes it if nobody has. However often
   * it is called, there is one, and one seat for each. Throws `NOT_FINISHED`, `NOT_ALLOWED` where the seat is kept no
   * longer, `ALREADY_STARTED`, `GAME_OVER`.
   */
  async rematch(options: CallOptions = {}): Promise<Seat> {
    const { session, seatToken, seat, hostToken } = await this.change<api.RematchSessionResponse>("rematch", {}, options);
    return new Seat(this.calls, session.name, seatToken, seat, hostToken);
  }

  /** Gives the game up: the seat loses. Throws `NOT_STARTED`, `GAME_OVER`, `SUBSTITUTE_PLAYS`. */
  resign(options: CallOptions = {}): Promise<api.Session> {
    return this.changed("resign", {}, options);
  }
}
