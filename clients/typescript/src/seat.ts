import { type CallOptions, type Calls, type ObserveOptions, type PositionView, viewName } from "./calls.js";
import { base64, SessionHandle } from "./sessionHandle.js";
import type { Update } from "./streamCursor.js";
import type * as api from "./generated/api.js";

/** Options for joining a rematch. */
export interface RematchOptions extends CallOptions {
  /** As in `JoinOptions`. */
  entropy?: Uint8Array | undefined;
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
