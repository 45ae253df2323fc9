import { type CallOptions, Calls, query, type Settings } from "./calls.js";
import { notAllowed } from "./errors.js";
import type * as api from "./generated/api.js";
import { Seat } from "./seat.js";
import { base64 } from "./sessionHandle.js";
import { Table, type TableOptions } from "./tableHandle.js";
import type { CaseOf, CaseValue } from "./match.js";

/** The options of a client. Times are in milliseconds. */
export interface ClientOptions {
  /** The timeout of one attempt at a call. Default: 10 s. */
  timeoutMs?: number | undefined;
  /**
   * How long a call is retried while the server is unavailable, and how long a stream is resumed without receiving
   * anything. 0: never. `Infinity`: until aborted. Default: 30 s.
   */
  retryForMs?: number | undefined;
  /** A stream counts as dead after this time without a byte. Heartbeats count as bytes. Default: 45 s. */
  silenceMs?: number | undefined;
  /** Streams close after this time in a hidden tab, until the tab is visible again. Default: 1 h. */
  sleepAfterMs?: number | undefined;
  /**
   * The cell that gets calls without a name, such as `create`. Default: the choice of the proxy. Other calls go to the cell
   * of the name.
   */
  cell?: string | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

/** Options for reading a game. */
export interface ReadGameOptions extends CallOptions {
  /** One of `Game.editions`. Default: the first. */
  edition?: string | undefined;
}

/** Options for reading instructions. */
export interface HowToPlayOptions extends ReadGameOptions {
  /** The colours of the pictures. Default: `light`. */
  theme?: "light" | "dark" | "print" | "variables" | undefined;
}

type Lowered<Value extends string, Prefix extends string> = Value extends `${Prefix}_${infer Rest}`
  ? Exclude<Lowercase<Rest>, "unspecified">
  : never;

/** Whether the public list contains a session. */
export type Visibility = Lowered<api.Visibility, "VISIBILITY">;
/** Who may spectate. */
export type Spectating = Lowered<api.Spectating, "SPECTATING">;
/** The state of a session. */
export type State = Lowered<api.SessionState, "SESSION_STATE">;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The options of a game, by game id. The options of a game that this client does not know are not checked. */
export type OptionsOf<Game extends string> =
  CamelCase<Game> extends CaseOf<api.GameOptionsInput>
    ? CaseValue<api.GameOptionsInput, CamelCase<Game>>
    : Record<string, unknown>;

/** Options of a new session of any game. */
export interface NewSessionOptions extends CallOptions {
  /** The number of seats. */
  seats: number;
  /**
   * The seats of bots: their number (they take the last seats), a list of seats, or the level of each bot by seat. A level is
   * one of the game's `levels`. A seat that does not exist throws a RangeError.
   */
  bots?: number | readonly number[] | Readonly<Record<number, string>> | undefined;
  /** Default: `public`, and `unlisted` for a fork. */
  visibility?: Visibility | undefined;
  /** Default: `anyone`. */
  spectating?: Spectating | undefined;
  /** Your own labels. Everyone can read them. */
  labels?: Record<string, string> | undefined;
  /** Whether joining requires a code. The code is then the table's `joinCode`. */
  joinCode?: boolean | undefined;
  /** The time control: `{ bank: { timeMs: 180_000, incrementMs: 2_000 } }`. Absent: no time limit. */
  clock?: api.ClockInput | undefined;
  /** The abandonment policy: `{ absenceMs: 120_000 }`. Absent: the server's defaults. */
  abandonment?: api.AbandonmentPolicyInput | undefined;
  /** The delay of the spectators' view: `{ seconds: 60 }`, or `entries` of the log. Absent: no delay. */
  delay?: api.SpectatorDelayInput | undefined;
}

/** Options of a new session. */
export interface CreateOptions<Game extends string = string> extends NewSessionOptions {
  /** The game's options. Absent: the defaults. */
  options?: OptionsOf<Game> | undefined;
  /** 32 bytes that determine all chance, or the `seed` of a finished session. Absent: the server draws a secret seed. */
  seed?: Uint8Array | string | undefined;
  /** Which moves players can take back (`Seat.undo`). Absent: none. */
  undo?: api.UndoPolicy | undefined;
  /** Whether everyone can read the player ids that players join with. */
  publicPlayerIds?: boolean | undefined;
  /** Whether players can ask what a strong player would do (`Seat.hint`). */
  hints?: boolean | undefined;
}

/** Options of a fork. */
export interface ForkOptions extends NewSessionOptions {
  /** A token of the finished session, if spectating it requires one. */
  token?: string | undefined;
}

/** Filters for the list of sessions. */
export interface ListSessionsOptions extends CallOptions {
  /** Only sessions of this game. */
  game?: string | undefined;
  /** Only sessions in this state. */
  state?: State | undefined;
  /** Only sessions with this label: `key` or `key=value`. */
  label?: string | undefined;
}

/**
 * A client of one Skerry server. `server` is the server's HTTP URL, including the path before `/v1` if there is one. The
 * default is the page's own origin, and outside of browsers `http://127.0.0.1:8080`. Throws TypeError for an invalid URL.
 */
export class Client {
  /** @internal */
  readonly calls: Calls;

  constructor(server?: string | URL, options: ClientOptions = {}) {
    const settings: Settings = {
      base: new URL(server ?? globalThis.location?.origin ?? "http://127.0.0.1:8080").href.replace(/\/+$/, ""),
      timeoutMs: options.timeoutMs ?? 10_000,
      retryForMs: options.retryForMs ?? 30_000,
      silenceMs: options.silenceMs ?? 45_000,
      sleepAfterMs: options.sleepAfterMs ?? 3_600_000,
      cell: options.cell,
      fetch: options.fetch ?? ((...request) => fetch(...request)),
    };
    if (!/^https?:/.test(settings.base)) throw new TypeError("The server URL must start with http: or https:");
    this.calls = new Calls(settings);
  }

  /** Lists the games of the server, without boards and rules. */
  async games(options: CallOptions = {}): Promise<api.Game[]> {
    return (await this.calls.call<api.ListGamesResponse>({ path: "games" }, options)).games;
  }

  /**
   * Reads a game by id or name, with its numbered rules and the board and drawings of an edition. Throws `GAME_NOT_FOUND`,
   * `BAD_OPTIONS`.
   */
  async game(game: string, { edition, ...options }: ReadGameOptions = {}): Promise<api.Game> {
    return (await this.calls.call<api.GetGameResponse>({ path: `${named("games", game)}${query({ edition })}` }, options)).game;
  }

  /**
   * Reads the instructions of a game for people, with pictures as SVG. `theme`: `light`, `dark`, `print`, or `variables` for
   * colours that your page defines as custom properties. Throws `GAME_NOT_FOUND`, `BAD_OPTIONS`.
   */
  async howToPlay(game: string, { theme, edition, ...options }: HowToPlayOptions = {}): Promise<api.HowToPlay> {
    const path = `${named("games", game)}:howToPlay${query({ theme, edition })}`;
    return (await this.calls.call<api.GetHowToPlayResponse>({ path }, options)).howToPlay;
  }

  /**
   * Creates a session. Returns its table, with the host token and the spectator token. Throws `GAME_NOT_FOUND`,
   * `BAD_OPTIONS`.
   */
  create<Game extends string>(game: Game, setup: CreateOptions<Game>): Promise<Table> {
    const { options, seed, ...others } = setup;
    const id = game.replace(/^games\//, "");
    return this.#begin("sessions", others, {
      game: id,
      options: options && ({ [id]: options } as api.GameOptionsInput),
      seed: base64(seed),
    } satisfies Partial<api.CreateSessionRequest>);
  }

  /**
   * Creates a session that continues a finished game after one of its entries. Returns its table. The number of seats must be
   * the same. Hidden information at that entry stays the same; later chance comes from a new seed. Throws `NOT_FINISHED`,
   * `NOT_STARTED`, `GAME_OVER` if the game was already over at that entry, `SEQUENCE_AHEAD`.
   */
  fork(name: string, sequence: number | string, setup: ForkOptions): Promise<Table> {
    const { token, ...others } = setup;
    const sent = { sequence: `${sequence}` } satisfies Partial<api.ForkSessionRequest>;
    return this.#begin(`${named("sessions", name)}:fork`, others, sent, token);
  }

  /** Starts the lesson of a game (`Game.lesson`). Returns its table. The seat that joins plays it. */
  async lesson(game: string, options: CallOptions = {}): Promise<Table> {
    const body = { game, lesson: true, requestId: this.calls.newId() } satisfies Partial<api.CreateSessionRequest>;
    const created = await this.calls.call<api.CreateSessionResponse>({ path: "sessions", body }, options);
    return new Table(this.calls, created.session.name, created);
  }

  /** Creates a session from the options of `create` and `fork`, and from fields that are sent as they are. */
  async #begin(path: string, setup: NewSessionOptions, sent: object, token?: string): Promise<Table> {
    const { seats, bots = 0, visibility, spectating, joinCode, signal, ...others } = setup;
    const levels = levelsOf(bots, seats);
    for (const seat of levels.keys()) if (!(seat >= 0 && seat < seats)) throw new RangeError(`There is no seat ${seat} for a bot: the last one is ${seats - 1}.`);
    const body = {
      ...others,
      ...sent,
      seats: Array.from({ length: seats }, (_, seat) => {
        const level = levels.get(seat);
        return level === undefined ? {} : { occupant: "OCCUPANT_BOT" as const, level };
      }),
      visibility: visibility && enumName("VISIBILITY", visibility),
      spectating: spectating && enumName("SPECTATING", spectating),
      joinCodeRequired: joinCode,
      requestId: this.calls.newId(),
    } satisfies Partial<api.CreateSessionRequest & api.ForkSessionRequest>;
    const created = await this.calls.call<api.CreateSessionResponse | api.ForkSessionResponse>({ path, token, body }, { signal });
    return new Table(this.calls, created.session.name, created);
  }

  /** Opens the table of a session, by name or id. Throws `SESSION_NOT_FOUND`, `TOKEN_INVALID`. */
  async table(name: string, options: TableOptions = {}): Promise<Table> {
    const table = new Table(this.calls, named("sessions", name), options);
    await table.read(options);
    return table;
  }

  /** Opens a seat by its token, for example after a reload. Throws `SESSION_NOT_FOUND`, `TOKEN_INVALID`, `NOT_ALLOWED`. */
  async seat(name: string, token: string, options: CallOptions = {}): Promise<Seat> {
    const path = named("sessions", name);
    const { seat } = await this.calls.call<api.GetSessionResponse>({ path, token }, options);
    if (seat === undefined) throw notAllowed("The token is not a seat token.");
    return new Seat(this.calls, path, token, seat);
  }

  /** Yields the public sessions, newest first. Reads them page by page. */
  async *sessions(filter: ListSessionsOptions = {}): AsyncGenerator<api.Session, void, undefined> {
    const { game, state, label, signal } = filter;
    const request = {
      pageSize: 100,
      game: game?.replace(/^games\//, ""),
      state: state && enumName("SESSION_STATE", state),
      label,
    } satisfies api.ListSessionsRequest;
    let pageToken = "";
    do {
      const query = Object.entries({ ...request, pageToken }).filter(([, value]) => value) as [string, string][];
      const path = `sessions?${new URLSearchParams(query)}`;
      const page = await this.calls.call<api.ListSessionsResponse>({ path }, { signal });
      yield* page.sessions;
      pageToken = page.nextPageToken;
    } while (pageToken);
  }
}

/** Returns the resource name for a name or id. */
export function named(collection: string, name: string): string {
  return `${collection}/${encodeURIComponent(name.replace(`${collection}/`, ""))}`;
}

/** Returns the wire name of an enum value, which callers write in lower case and without the enum's name. */
function enumName<Prefix extends string, Value extends string>(
  prefix: Prefix,
  value: Value,
): `${Prefix}_${Uppercase<Value>}` {
  return `${prefix}_${value.toUpperCase() as Uppercase<Value>}`;
}

/** Returns the level of each bot, by seat. An empty level stands for the server's default. */
function levelsOf(bots: number | readonly number[] | Readonly<Record<number, string>>, seats: number): Map<number, string> {
  if (typeof bots === "number") return new Map(Array.from({ length: bots }, (_, bot) => [seats - 1 - bot, ""]));
  if (bots instanceof Array) return new Map(bots.map((seat) => [seat, ""]));
  return new Map(Object.entries(bots as Readonly<Record<string, string>>).map(([seat, level]) => [Number(seat), level]));
}
