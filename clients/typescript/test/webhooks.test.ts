// The check of webhook requests, with requests signed by Node's own crypto.
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { verify, WebhookInvalid } from "../src/webhooks.js";

const KEY = Buffer.alloc(24, "k");
const SECRET = `whsec_${KEY.toString("base64")}`;
const BODY = '{"type":"seat.turn","data":{"seat":1,"players":[{"displayName":"Zoë"}]},"new":1}';
const now = (): number => Math.floor(Date.now() / 1000);

/** Returns the headers of a request. */
function signed(body = BODY, { id = "msg_1", time = `${now()}`, key = KEY, changed = {} as Record<string, string> } = {}): Record<string, string> {
  const signature = `v1,${createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64")}`;
  return { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signature, ...changed };
}

/** Resolves with the message of the error. */
async function fault(body: string, headers: Record<string, string | string[]>): Promise<string> {
  const error: unknown = await verify(body, headers, SECRET).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(WebhookInvalid);
  return (error as WebhookInvalid).message;
}

describe("verify", () => {
  it("resolves with the event, from text or bytes, and from any headers", async () => {
    for (const body of [BODY, Buffer.from(BODY)]) {
      for (const headers of [signed(), new Headers(signed())]) {
        const { id, payload } = await verify(body, headers, SECRET);
        expect([id, payload.type, payload.data.seat, payload.data.players[0]?.displayName]).toEqual(["msg_1", "seat.turn", 1, "Zoë"]);
      }
    }
  });

  it("accepts one valid signature of several", async () => {
    const both = `v1a,${"x".repeat(86)} ${signed(BODY, { key: Buffer.alloc(24, "o") })["webhook-signature"]} ${signed()["webhook-signature"]}`;
    expect((await verify(BODY, signed(BODY, { changed: { "webhook-signature": both } }), SECRET)).id).toBe("msg_1");
  });

  it("refuses what the secret does not sign", async () => {
    const none = "No signature in webhook-signature is valid for this body and secret.";
    const valid = signed()["webhook-signature"]!;
    expect(await fault(`${BODY} `, signed())).toBe(none);
    expect(await fault(BODY, signed(BODY, { key: Buffer.alloc(24, "o") }))).toBe(none);
    for (const changed of [
      { "webhook-id": "msg_2" },
      { "webhook-timestamp": "1" },
      { "webhook-signature": valid.replace("v1,", "v2,") },
      { "webhook-signature": valid.slice(0, -1) },
      { "webhook-signature": `${valid}x` },
      { "webhook-signature": "v1, ".repeat(20_000) },
    ]) {
      expect(await fault(BODY, signed(BODY, { changed }))).toBe(none);
    }
  });

  it("names missing and repeated headers", async () => {
    for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
      expect(await fault(BODY, signed(BODY, { changed: { [name]: "" } }))).toBe(`The header ${name} is missing.`);
      expect(await fault(BODY, { ...signed(), [name]: ["a", "b"] })).toBe(`The header ${name} came more than once.`);
    }
  });

  it("refuses old and future requests", async () => {
    expect(await fault(BODY, signed(BODY, { time: `${now() - 9000}` }))).toContain("The request is too old: 900");
    expect(await fault(BODY, signed(BODY, { time: `${now() + 9000}` }))).toContain("The request is too far in the future: ");
    expect(await fault(BODY, signed(BODY, { time: "1e9" }))).toBe("webhook-timestamp is not a number of seconds since 1970.");
    const old = signed(BODY, { time: `${now() - 9000}` });
    expect((await verify(BODY, old, SECRET, { toleranceMs: 10_000_000 })).id).toBe("msg_1");
    await expect(verify(BODY, old, SECRET, { toleranceMs: NaN })).rejects.toThrow(WebhookInvalid);
  });

  it("refuses a body that is not JSON", async () => expect(await fault("{", signed("{"))).toBe("The body is not JSON."));

  it("explains wrong arguments, without the secret", async () => {
    for (const secret of ["", "whsec_", "whsec_not Base64!"]) {
      await expect(verify(BODY, signed(), secret)).rejects.toThrow("secret: Pass the secret of the webhook as received: whsec_ and Base64.");
    }
    await expect(verify(JSON.parse(BODY) as string, signed(), SECRET)).rejects.toThrow(TypeError);
  });
});
