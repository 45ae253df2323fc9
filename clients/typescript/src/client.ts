import { type CallOptions, Calls, type Settings } from "./calls.js";
import { notAllowed } from "./errors.js";
import type * as api from "./generated/api.js";
import { Seat, Table, type TableOptions } from "./handles.js";
import type { CaseOf, HeldBy } from "./match.js";

/** How patient a client is, and how it asks. Times are in milliseconds. */
export interface ClientOptions {
  /** How long one attempt at a call may take. Default: 10 s. */
  timeoutMs?: number | undefined;
  /**
   * For how long a call is repeated while the server is unavailable, and a stream resumed without hearing anything.
   * 0: never; `Infinity`: until it is aborted. Default: 30 s.
   */
  retryForMs?: number | undefined;
  /** After how long without a byte, heartbeats included, a stream is taken for dead. Default: 45 s. */
  silenceMs?: number | undefined;
  /** After how long in a hidden tab streams are closed, until the tab is seen again. Default: an hour. */
  sleepAfterMs?: number | undefined;
  /** What is used in place of the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

type Lowered<Value extends string, Prefix extends string> = Value extends `${Prefix}_${infer Rest}`
  ? Exclude<Lowercase<Rest>, "unspecified">
  : never;

/** Who finds a session in the list. */
export type Visibility = Lowered<api.Visibility, "VISIBILITY">;
/** Who may look on. */
export type Spectating = Lowered<api.Spectating, "SPECTATING">;
/** Where a session is in its life. */
export type State = Lowered<api.SessionState, "SESSION_STATE">;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The options of a game, by the game's id. Those of a game that this client does not know are not checked. */
export type OptionsOf<Game extends string> =
  CamelCase<Game> extends CaseOf<api.GameOptionsInput>
    ? HeldBy<api.GameOptionsInput, CamelCase<Game>>
    : Record<string, unknown>;

/** How a new session is set up, of whatever game. */
export interface NewOptions extends CallOptions {
  /** How many seats there are. */
  seats: number;
  /**
   * How many of them bots take (the last ones), which, or the level of each by its seat: one of the game's `levels`.
   * Throws RangeError for a seat that there is not.
   */
  bots?: number | readonly number[] | Readonly<Record<number, string>> | undefined;
  /** Default: `public`; of a fork `unlisted`. */
  visibility?: Visibility | undefined;
  /** Default: `anyone`. */
  spectating?: Spectating | undefined;
  /** Marks of your own, told to everybody. */
  labels?: Record<string, string> | undefined;
  /** Whether whoever takes a seat must know a code, which is then the table's `joinCode`. */
  joinCode?: boolean | undefined;
  /** How the players' time is measured: `{ bank: { timeMs: 180_000, incrementMs: 2_000 } }`. Absent: it is not. */
  clock?: api.ClockInput | undefined;
  /** What happens when players go: `{ absenceMs: 120_000 }`. Absent: the server's defaults. */
  abandonment?: api.AbandonmentPolicyInput | undefined;
  /** How late spectators are shown the game: `{ seconds: 60 }`, or by `entries` of the log. Absent: at once. */
  delay?: api.SpectatorDelayInput | undefined;
}

/** How a session is set up. */
export interface CreateOptions<Game extends string = string> extends NewOptions {
  /** The game's options. Absent: its defaults. */
  options?: OptionsOf<Game> | undefined;
  /** 32 bytes that fix all chance, or the `seed` of a session that is over. Absent: the server draws a secret one. */
  seed?: Uint8Array | string | undefined;
  /** Whether everybody is told the ids that players join with. */
  publicPlayerIds?: boolean | undefined;
}

/** How a session is set up that goes on from within a game. */
export interface ForkOptions extends NewOptions {
  /** A token of the game's session, where one is needed to look on. */
  token?: string | undefined;
}

/** Which sessions are listed. */
export interface SessionsOptions extends CallOptions {
  /** Those of this game. */
  game?: string | undefined;
  /** Those in this state. */
  state?: State | undefined;
  /** Those with this label: `key` or `key=value`. */
  label?: string | undefined;
}

/**
 * A client of one Skerry server. `server` is the address of its HTTP, with the path before `/v1` if there is one;
 * absent, a page's own origin, and elsewhere `http://127.0.0.1:8080`. Throws TypeError for what is no such address.
 */
export class Client {
  readonly #calls: Calls;

  constructor(server?: string | URL, options: ClientOptions = {}) {
    const settings: Settings = {
      base: new URL(server ?? globalThis.location?.origin ?? "http://127.0.0.1:8080").href.replace(/\/+$/, ""),
      timeoutMs: options.timeoutMs ?? 10_000,
      retryForMs: options.retryForMs ?? 30_000,
      silenceMs: options.silenceMs ?? 45_000,
      sleepAfterMs: options.sleepAfterMs ?? 3_600_000,
      fetch: options.fetch ?? ((...asked) => fetch(...asked)),
    };
    if (!/^https?:/.test(settings.base)) throw new TypeError("A server begins with http: or https:");
    this.#calls = new Calls(settings);
  }

  /** Reads the games that the server plays, without board and rules. */
  async games(options: CallOptions = {}): Promise<api.Game[]> {
    return (await this.#calls.call<api.ListGamesResponse>({ path: "games" }, options)).games;
  }

  /** Reads one game, by id or name, with its board and its numbered rules. Throws `GAME_NOT_FOUND`. */
  async game(game: string, options: CallOptions = {}): Promise<api.Game> {
    return (await this.#calls.call<api.GetGameResponse>({ path: named("games", game) }, options)).game;
  }

  /**
   * Creates a session and returns its table, with the host's and the spectators' tokens.
   * Throws `GAME_NOT_FOUND`, `BAD_OPTIONS`.
   */
  create<Game extends string>(game: Game, setup: CreateOptions<Game>): Promise<Table> {
    const { options, seed, ...others } = setup;
    const id = game.replace(/^games\//, "");
    return this.#begin("sessions", others, {
      game: id,
      options: options && ({ [id]: options } as api.GameOptionsInput),
      seed: seed instanceof Uint8Array ? btoa(String.fromCharCode(...seed)) : seed,
    } satisfies Partial<api.CreateSessionRequest>);
  }

  /**
   * Goes on in a new session from an entry of a game that is over, with as many seats; returns its table. What comes is
   * drawn from a new seed; what lay hidden at that entry is what it was. Throws `NOT_FINISHED`, `NOT_STARTED`,
   * `GAME_OVER` where the rules have ended the game by then, `SEQUENCE_AHEAD`.
   */
  fork(name: string, sequence: number | string, setup: ForkOptions): Promise<Table> {
    const { token, ...others } = setup;
    const sent = { sequence: `${sequence}` } satisfies Partial<api.ForkSessionRequest>;
    return this.#begin(`${named("sessions", name)}:fork`, others, sent, token);
  }

  /** Makes a session, of what both ways of doing so take and of what is sent as it is. */
  async #begin(path: string, setup: NewOptions, sent: object, token?: string): Promise<Table> {
    const { seats, bots = 0, visibility, spectating, joinCode, signal, ...others } = setup;
    const levels = levelsOf(bots, seats);
    for (const seat of levels.keys()) if (!(seat >= 0 && seat < seats)) throw new RangeError(`There is no seat ${seat} for a bot.`);
    const body = {
      ...others,
      ...sent,
      seats: Array.from({ length: seats }, (_, seat) => {
        const level = levels.get(seat);
        return level === undefined ? {} : { occupant: "OCCUPANT_BOT" as const, level };
      }),
      visibility: visibility && raised("VISIBILITY", visibility),
      spectating: spectating && raised("SPECTATING", spectating),
      joinCodeRequired: joinCode,
      requestId: this.#calls.newId(),
    } satisfies Partial<api.CreateSessionRequest & api.ForkSessionRequest>;
    const made = await this.#calls.call<api.CreateSessionResponse | api.ForkSessionResponse>({ path, token, body }, { signal });
    return new Table(this.#calls, made.session.name, made);
  }

  /** Comes (back) to the table of a session, by name or id. Throws `SESSION_NOT_FOUND`, `TOKEN_INVALID`. */
  async table(name: string, options: TableOptions = {}): Promise<Table> {
    const table = new Table(this.#calls, named("sessions", name), options);
    await table.read(options);
    return table;
  }

  /** Comes back to a seat, for example after a reload. Throws `SESSION_NOT_FOUND`, `TOKEN_INVALID`, `NOT_ALLOWED`. */
  async seat(name: string, token: string, options: CallOptions = {}): Promise<Seat> {
    const path = named("sessions", name);
    const { seat } = await this.#calls.call<api.GetSessionResponse>({ path, token }, options);
    if (seat === undefined) {
      throw notAllowed("This token is good, but not for a seat.");
    }
    return new Seat(this.#calls, path, token, seat);
  }

  /** Yields the public sessions, the newest first, page by page. */
  async *sessions(filter: SessionsOptions = {}): AsyncGenerator<api.Session, void, undefined> {
    const { game, state, label, signal } = filter;
    const asked = {
      pageSize: 100,
      game: game?.replace(/^games\//, ""),
      state: state && raised("SESSION_STATE", state),
      label,
    } satisfies api.ListSessionsRequest;
    let pageToken = "";
    do {
      const query = Object.entries({ ...asked, pageToken }).filter(([, value]) => value) as [string, string][];
      const path = `sessions?${new URLSearchParams(query)}`;
      const page = await this.#calls.call<api.ListSessionsResponse>({ path }, { signal });
      yield* page.sessions;
      pageToken = page.nextPageToken;
    } while (pageToken);
  }
}

/** Returns the resource name of what is given by name or id. */
function named(collection: string, name: string): string {
  return `${collection}/${encodeURIComponent(name.replace(`${collection}/`, ""))}`;
}

/** Returns the name of an enum's value, which callers write without the enum's name and in lower case. */
function raised<Prefix extends string, Value extends string>(
  prefix: Prefix,
  value: Value,
): `${Prefix}_${Uppercase<Value>}` {
  return `${prefix}_${value.toUpperCase() as Uppercase<Value>}`;
}

/** Returns the level of each bot by its seat. An empty one is the server's default. */
function levelsOf(bots: number | readonly number[] | Readonly<Record<number, string>>, seats: number): Map<number, string> {
  if (typeof bots === "number") return new Map(Array.from({ length: bots }, (_, bot) => [seats - 1 - bot, ""]));
  if (bots instanceof Array) return new Map(bots.map((seat) => [seat, ""]));
  return new Map(Object.entries(bots as Readonly<Record<string, string>>).map(([seat, level]) => [Number(seat), level]));
}
