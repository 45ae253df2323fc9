/** For receivers of webhooks: the check of a request. It needs only Web Crypto, which Node, Deno and workers have. */
import type { WebhookPayload } from "./generated/api.js";

const ID = "webhook-id";
const TIME = "webhook-timestamp";
const SIGNATURES = "webhook-signature";
const PREFIX = "whsec_";

/** The headers of a request: those of `fetch`, or the object of Node's `http`, with names in lower case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Options of `verify`. */
export interface VerifyOptions {
  /** How far the timestamp may differ from this machine's clock, in milliseconds. Default: 5 minutes. */
  toleranceMs?: number | undefined;
}

/** A request whose signature is valid. */
export interface VerifiedWebhook {
  /** The id of the event. Repeated deliveries have the same one: keep the ids of the last days, and drop repeats. */
  id: string;
  /** The body. */
  payload: WebhookPayload;
}

/** The request does not come from the service, or is too old. Reject it with the status 401. */
export class WebhookInvalid extends Error {
  override readonly name = "WebhookInvalid";
}

/**
 * Checks the signature of a webhook request. Resolves with its event.
 * `body` is the body as received, before any parser. `secret` is that of the response to the call that set the webhook.
 * Throws `WebhookInvalid`, and a `TypeError` for a wrong argument.
 */
export async function verify(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceMs = 300_000 }: VerifyOptions = {},
): Promise<VerifiedWebhook> {
  if (typeof body !== "string" && !(body instanceof Uint8Array)) throw new TypeError("body: Pass the text or bytes of the body as received.");
  const key = keyOf(secret);
  const [id, time, signatures] = [ID, TIME, SIGNATURES].map((name) => valueOf(headers, name)) as [string, string, string];
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const head = new TextEncoder().encode(`${id}.${time}.`);
  const signed = new Uint8Array(head.length + bytes.length);
  signed.set(head);
  signed.set(bytes, head.length);
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const digest = new Uint8Array(await crypto.subtle.sign("HMAC", imported, signed));
  const expected = `v1,${btoa(String.fromCharCode(...digest))}`;
  if (!signatures.split(" ").some((one) => equal(one, expected))) {
    throw new WebhookInvalid(`No signature in ${SIGNATURES} is valid for this body and secret.`);
  }
  checkTime(time, toleranceMs);
  try {
    return { id, payload: JSON.parse(new TextDecoder().decode(bytes)) as WebhookPayload };
  } catch (cause) {
    throw new WebhookInvalid("The body is not JSON.", { cause });
  }
}

/** Returns the key of a secret. Error messages do not show it. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  try {
    const key = Uint8Array.from(atob(secret.replace(PREFIX, "")), (letter) => letter.charCodeAt(0));
    if (key.length) return key;
  } catch {
    // The error below says what is expected.
  }
  throw new TypeError(`secret: Pass the secret of the webhook as received: ${PREFIX} and Base64.`);
}

function valueOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (!value) throw new WebhookInvalid(`The header ${name} is missing.`);
  if (typeof value !== "string") throw new WebhookInvalid(`The header ${name} came more than once.`);
  return value;
}

/** Compares texts in a time that does not depend on where they differ. */
function equal(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < other.length; index += 1) difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

function checkTime(time: string, toleranceMs: number): void {
  if (!/^\d{1,12}$/.test(time)) throw new WebhookInvalid(`${TIME} is not a number of seconds since 1970.`);
  const late = Date.now() - 1000 * Number(time);
  // Negated, so that a tolerance that is no number allows nothing.
  if (!(Math.abs(late) <= toleranceMs)) {
    const where = late > 0 ? "old" : "far in the future";
    throw new WebhookInvalid(`The request is too ${where}: ${Math.round(Math.abs(late) / 1000)} s, of at most ${toleranceMs / 1000} s.`);
  }
}
