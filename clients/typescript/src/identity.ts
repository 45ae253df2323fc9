/** Users with accounts. Functions and not options of `Client`, so that only programs that use them load them. */
import type { CallOptions } from "./calls.js";
import { type Client, named } from "./client.js";
import type * as api from "./generated/api.js";
import { type RematchOptions, Seat } from "./seat.js";

/** An identity token, or a function that returns one that is valid now. */
export type Identity = string | (() => string | Promise<string>);

/** Options for recovering a seat. */
export interface RecoverOptions extends CallOptions {
  /** The number of the seat. A user with several seats of the session needs it. */
  seat?: number | undefined;
}

/**
 * Returns a `fetch` for the option of `Client` that sends the identity token of a user with every call. It calls a function
 * before the first call, and again when the token has expired or the issuer has changed its key. Calls share the token. A function that
 * throws counts as a lost connection: the client asks it again for `retryForMs`, and then throws `CONNECTION_LOST` with the
 * function's error as its `cause`. A call waits for the function at most for its `timeoutMs`, and the next call asks again.
 * `base`: the `fetch` that it uses.
 *
 *     const skerry = new Client(url, { fetch: withIdentity(fetchToken) });
 */
export function withIdentity(identity: Identity, base: typeof fetch = (...request) => fetch(...request)): typeof fetch {
  let shared: Promise<string> | undefined;
  const ask = (): Promise<string> => (shared ??= (async () => (typeof identity === "string" ? identity : identity()))());
  const forget = (asked: Promise<string>): void => {
    if (shared === asked) shared = undefined;
  };
  const send = async (asked: Promise<string>, url: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const token = await unlessAborted(asked, init?.signal).catch((error: unknown) => {
      forget(asked);
      throw error;
    });
    return base(url, withHeader(init, "Skerry-Identity", token));
  };
  return async (url, init) => {
    const asked = ask();
    const response = await send(asked, url, init);
    if (typeof identity === "string" || !(await isOutdated(response))) return response;
    forget(asked);
    return send(ask(), url, init);
  };
}

/**
 * Returns a `fetch` for the option of `Client` by which a backend acts for one of its users, `user` by its own name. Needs an
 * API key with the scope `act-for`, so it is not for pages. `client.seat(name, "")` then opens the user's seat.
 */
export function actingFor(user: string, apiKey: string, base: typeof fetch = (...request) => fetch(...request)): typeof fetch {
  return (url, init) => base(url, withHeader(withHeader(init, "Skerry-Act-For", user), "X-API-Key", apiKey));
}

/**
 * Opens the seat of a client's user with a new token, for example on another device. The previous token is no longer valid.
 * Requires `withIdentity` or `actingFor`. Resolves with the seat. Throws `IDENTITY_MISSING`, `NOT_ALLOWED`,
 * `SESSION_NOT_FOUND`, `GAME_OVER`.
 */
export async function recoverSeat(client: Client, name: string, { seat, ...options }: RecoverOptions = {}): Promise<Seat> {
  const path = `${named("sessions", name)}:recover`;
  const body = { seat, requestId: client.calls.newId() } satisfies Partial<api.RecoverSeatRequest>;
  const recovered = await client.calls.call<api.RecoverSeatResponse>({ path, body }, options);
  return new Seat(client.calls, recovered.session.name, recovered.seatToken, recovered.seat);
}

/**
 * Takes the seat of a client's user in the rematch of a finished game, as `Seat.rematch` does with the token of the seat.
 * Requires `withIdentity` or `actingFor`. Resolves with the seat. Throws as `Seat.rematch`, and `SESSION_NOT_FOUND`.
 */
export async function rematch(client: Client, name: string, options: RematchOptions = {}): Promise<Seat> {
  return new Seat(client.calls, named("sessions", name), "", 0).rematch(options);
}

function withHeader(init: RequestInit | undefined, name: string, value: string): RequestInit {
  const headers = new Headers(init?.headers);
  headers.set(name, value);
  return { ...init, headers };
}

/** Resolves or rejects as `answer` does. Rejects with the signal's reason if the signal is aborted before. */
function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    void answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Returns whether the response says that a new token can help: the token has expired, or its key was changed. */
async function isOutdated(response: Response): Promise<boolean> {
  if (response.status !== 401) return false;
  const { error } = (await response.clone().json().catch(() => ({}))) as { error?: { details?: { metadata?: { problem?: string } }[] } };
  return error?.details?.some(({ metadata }) => ["expired", "key", "signature"].includes(metadata?.problem ?? "")) ?? false;
}
