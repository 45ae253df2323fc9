import type { Sentence, Reasons as ServerReasons } from "./generated/api.js";

/** Errors of the connection. They do not come from the server. */
export interface ConnectionReasons {
  /** The client could not connect, or the connection broke. The call may have been carried out. */
  CONNECTION_LOST: Record<never, never>;
  /** No response arrived in time. The call may have been carried out. */
  TIMED_OUT: Record<never, never>;
  /** The response is not from a Skerry server: another service or a proxy sent it. */
  UNEXPECTED_ANSWER: Record<never, never>;
}

/** All reasons of errors, each with the metadata that it has. */
export type Reasons = ServerReasons & ConnectionReasons;

/** The reason of an error. A newer server can send other reasons. */
export type Reason = keyof Reasons;

/** The gRPC status codes of errors. Each says what the caller can do next. */
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

/** The properties of an error. */
interface ErrorDetails {
  status: Status | (string & {});
  metadata?: Record<string, string> | undefined;
  httpStatus?: number | undefined;
  retryAfterMs?: number | undefined;
  localizedMessage?: string | undefined;
  sentence?: Sentence | undefined;
  cause?: unknown;
}

/** A failed call. The message is one sentence for people. Programs should check `reason`, never the message. */
export class SkerryError extends Error {
  override readonly name = "SkerryError";
  /** The reason: `RULE_BROKEN`, `STALE_SEQUENCE` and so on. `Reasons` lists them. */
  declare readonly reason: Reason | (string & {});
  /** The gRPC status code: `FAILED_PRECONDITION`. */
  declare readonly status: Status | (string & {});
  /** The metadata that `Reasons` lists for the reason, for example `sequence`. */
  declare readonly metadata: Readonly<Record<string, string>>;
  /** The status of the HTTP response. `undefined` without a response, and for errors inside a stream. */
  declare readonly httpStatus: number | undefined;
  /** The milliseconds after which the server suggests a retry. `undefined` if it suggests none. */
  declare readonly retryAfterMs: number | undefined;
  /** The message in the language that the request accepts. `undefined` for English, and for errors of the connection. */
  declare readonly localizedMessage: string | undefined;
  /** The message as an id with parameters. `undefined` unless the client asks for `sentences` and the server sent it. */
  declare readonly sentence: Sentence | undefined;

  constructor(reason: Reason | (string & {}), message: string, details: ErrorDetails) {
    super(message, details);
    Object.assign(this, details, { reason, metadata: details.metadata ?? {} });
  }

  /** Whether the error has this reason. If so, the type of `metadata` is narrowed to the reason's metadata. */
  is<R extends Reason>(reason: R): this is this & { readonly reason: R; readonly metadata: Readonly<Reasons[R]> } {
    return this.reason === reason;
  }

  /** The id of the rule that was broken, for example `KRETA-PEACE-1`. */
  get rule(): string | undefined {
    return this.metadata["rule"];
  }

  /** Whether the call may succeed later. The client has already retried it for `retryForMs`. */
  get unavailable(): boolean {
    return this.status === "UNAVAILABLE" || this.status === "DEADLINE_EXCEEDED";
  }
}

/** An error in the format of AIP-193. Other services can put anything under these names. */
interface Wire {
  error?: { message?: string; status?: string; details?: Detail[] | Detail };
}

interface Detail extends Partial<Sentence> {
  domain?: string;
  reason?: string;
  metadata?: Record<string, string>;
  retryDelay?: string;
  locale?: string;
  message?: string;
}

/** Returns the error in the body of a response. Without a response, `text` is the refusal that ended a stream. */
export function refusal(text: string, response?: Response): SkerryError {
  const { message, status, details } = wire(text).error ?? {};
  const all: (Detail | null | undefined)[] = [details].flat();
  const withKey = (key: keyof Detail): Detail => all.find((one) => one?.[key]) ?? {};
  const info = all.find((one) => one?.domain === "skerry");
  const httpStatus = response?.status;
  const delayMs = 1000 * parseFloat(withKey("retryDelay").retryDelay ?? "0");
  const retryAfterMs = Math.max(headerMs(response?.headers.get("Retry-After")), delayMs);
  const known = { httpStatus, retryAfterMs: retryAfterMs || undefined };
  if (info?.reason && status) {
    const localizedMessage = withKey("locale").message;
    const { id, parameters } = withKey("parameters");
    const sentence = id && parameters ? { id, parameters } : undefined;
    const { reason, metadata } = info;
    return new SkerryError(reason, `${message}`, { ...known, status, metadata, localizedMessage, sentence });
  }
  return unexpected(httpStatus ?? 0, known);
}

/** Returns the error for a response that is not from a Skerry server but from a proxy or another service. */
function unexpected(httpStatus: number, known: Omit<ErrorDetails, "status">): SkerryError {
  const sentence = `The server sent an unexpected response (HTTP ${httpStatus}).`;
  // 0: browsers hide the target of a redirect, for example to a login page.
  if ([0, 502, 503, 504].includes(httpStatus)) {
    return new SkerryError("CONNECTION_LOST", sentence, { ...known, status: "UNAVAILABLE" });
  }
  const status = httpStatus === 429 ? "RESOURCE_EXHAUSTED" : "UNKNOWN";
  return new SkerryError("UNEXPECTED_ANSWER", sentence, { ...known, status });
}

/** Returns the delay of a `Retry-After` header, which has seconds or a date. In milliseconds. */
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

/** Parses JSON. Throws `UNEXPECTED_ANSWER`. */
export function parsed<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new SkerryError("UNEXPECTED_ANSWER", "The response is not valid JSON.", { status: "UNKNOWN", cause });
  }
}

/** Returns the error for a connection that failed or timed out. */
export function lost(message: string, cause?: unknown): SkerryError {
  return new SkerryError("CONNECTION_LOST", message, { status: "UNAVAILABLE", cause });
}

/** Returns the error for a valid token that does not allow the call. */
export function notAllowed(message: string): SkerryError {
  return new SkerryError("NOT_ALLOWED", message, { status: "PERMISSION_DENIED" });
}
