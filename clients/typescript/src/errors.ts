import type { Reasons as Refusals } from "./generated/api.js";

/** What happens on the way: the server refused nothing. */
export interface Mishaps {
  /** There is no connection to the server, or it broke. Whether the call was carried out is not known. */
  CONNECTION_LOST: Record<never, never>;
  /** No answer came in time. Whether the call was carried out is not known. */
  TIMED_OUT: Record<never, never>;
  /** Not what a Skerry server says: another service, or a proxy in between. */
  UNEXPECTED_ANSWER: Record<never, never>;
}

/** Why a call did not succeed, and the metadata that comes with it. */
export type Reasons = Refusals & Mishaps;

/** Why a call did not succeed. A newer server can name others. */
export type Reason = keyof Reasons;

/** The status codes of gRPC that a call can end with. Each stands for what the caller can do next. */
export type Status =
  | "INVALID_ARGUMENT"
  | "NOT_FOUND"
  | "UNAUTHENTICATED"
  | "PERMISSION_DENIED"
  | "FAILED_PRECONDITION"
  | "ABORTED"
  | "OUT_OF_RANGE"
  | "RESOURCE_EXHAUSTED"
  | "UNIMPLEMENTED"
  | "INTERNAL"
  | "UNAVAILABLE"
  | "DEADLINE_EXCEEDED"
  | "DATA_LOSS"
  | "UNKNOWN";

/** What a call that did not succeed was told. */
interface Told {
  status: Status | (string & {});
  metadata?: Record<string, string> | undefined;
  httpStatus?: number | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** A call that did not succeed. The message is one sentence for people; match `reason`, never the text. */
export class SkerryError extends Error {
  override readonly name = "SkerryError";
  /** Why: `RULE_BROKEN`, `STALE_SEQUENCE` and so on, see `Reasons`. */
  readonly reason: Reason | (string & {});
  /** The status code, as over gRPC: `FAILED_PRECONDITION`. */
  readonly status: Status | (string & {});
  /** What `Reasons` says of this reason, for example `sequence`. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The status of the HTTP answer. `undefined` where there was none, as in a stream. */
  readonly httpStatus: number | undefined;
  /** Milliseconds after which, as the server says, asking again can help. `undefined` if it does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(reason: Reason | (string & {}), message: string, told: Told) {
    super(message, told);
    this.reason = reason;
    this.status = told.status;
    this.metadata = told.metadata ?? {};
    this.httpStatus = told.httpStatus;
    this.retryAfterMs = told.retryAfterMs;
  }

  /** Whether this is why; `metadata` then has what comes with it. */
  is<R extends Reason>(reason: R): this is this & { readonly reason: R; readonly metadata: Readonly<Reasons[R]> } {
    return this.reason === reason;
  }

  /** The id of the rule that was broken, for example `KRETA-PEACE-1`. */
  get rule(): string | undefined {
    return this.metadata["rule"];
  }

  /** Whether it may work later. The client has repeated the call for as long as it was allowed to. */
  get unavailable(): boolean {
    return this.status === "UNAVAILABLE" || this.status === "DEADLINE_EXCEEDED";
  }
}

/** An error in the form of AIP-193, as far as it is one: others than Skerry put what they like under these names. */
interface Wire {
  error?: { message?: string; status?: string; details?: Detail[] | Detail };
}

interface Detail {
  domain?: string;
  reason?: string;
  metadata?: Record<string, string>;
  retryDelay?: string;
}

/** Returns the error that an answer tells of. Without a response: the refusal at the end of a stream. */
export function refusal(text: string, response?: Response): SkerryError {
  const { message, status, details } = wire(text).error ?? {};
  const all: (Detail | null | undefined)[] = [details].flat();
  const info = all.find((one) => one?.domain === "skerry");
  const httpStatus = response?.status;
  const retryAfterMs = Math.max(
    headerMs(response?.headers.get("Retry-After")),
    ...all.map((one) => 1000 * parseFloat(one?.retryDelay ?? "0")),
  );
  const told = { httpStatus, retryAfterMs: retryAfterMs || undefined };
  if (info?.reason && status) {
    return new SkerryError(info.reason, `${message}`, { ...told, status, metadata: info.metadata });
  }
  return strange(httpStatus ?? 0, told);
}

/** Returns the error for an answer that is not Skerry's: a proxy's, or that of another service. */
function strange(httpStatus: number, told: Omit<Told, "status">): SkerryError {
  const sentence = `The server answered ${httpStatus}, and not as Skerry does.`;
  // 0: a browser tells nothing of where it was sent on to, a login perhaps.
  if ([0, 502, 503, 504].includes(httpStatus)) {
    return new SkerryError("CONNECTION_LOST", sentence, { ...told, status: "UNAVAILABLE" });
  }
  const status = httpStatus === 429 ? "RESOURCE_EXHAUSTED" : "UNKNOWN";
  return new SkerryError("UNEXPECTED_ANSWER", sentence, { ...told, status });
}

/** Returns what a `Retry-After` asks for: seconds, or a date. */
function headerMs(value: string | null | undefined): number {
  if (!value) return 0;
  const ms = /^\d+$/.test(value) ? 1000 * Number(value) : Date.parse(value) - Date.now();
  return Math.max(ms || 0, 0);
}

function wire(text: string): Wire {
  try {
    return (JSON.parse(text) ?? {}) as Wire;
  } catch {
    return {};
  }
}

/** Returns what a text says in JSON. Throws `UNEXPECTED_ANSWER`. */
export function parsed<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new SkerryError("UNEXPECTED_ANSWER", "The server's answer is not JSON.", { status: "UNKNOWN", cause });
  }
}

/** Returns the error for a connection that failed or fell silent. */
export function lost(message: string, cause?: unknown): SkerryError {
  return new SkerryError("CONNECTION_LOST", message, { status: "UNAVAILABLE", cause });
}

/** Returns the error for a token that is good, but not for this. */
export function notAllowed(message: string): SkerryError {
  return new SkerryError("NOT_ALLOWED", message, { status: "PERMISSION_DENIED" });
}
