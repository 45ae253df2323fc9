import type { CallOptions, Calls, ReadOptions } from "./calls.js";
import { Seat } from "./seat.js";
import { base64, SessionHandle } from "./sessionHandle.js";
import type * as api from "./generated/api.js";

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
   * Opens a seat: an abandoned one, or that of a player who does not respond. A substitute plays until another player
   * joins. The previous token is no longer valid. Requires the host token. Throws `NOT_STARTED`, `GAME_OVER`, or
   * `SEAT_TAKEN` if the seat cannot be opened now. `retryAfterMs` is then the time left, if waiting helps.
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

/** Options for starting a game before every seat is taken. */
export interface StartOptions extends CallOptions {
  /** Whether bots take the open seats. */
  fillWithBots?: boolean | undefined;
  /** The level of these bots: one of the game's `levels`. */
  level?: string | undefined;
}
