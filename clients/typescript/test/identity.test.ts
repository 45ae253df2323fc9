// Users with identity tokens, and a backend that acts for its users.
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { actingFor, type Identity, recoverSeat, rematch, withIdentity } from "../src/identity.js";
import { Client, findMatch, type Seat, type SkerryError, type Table } from "../src/index.js";
import { Server } from "./server.js";
import * as tables from "./tables.js";

const KEY = `skerry_key_backend_${"a".repeat(43)}`;
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
let folder: string;
let server: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skerry-identity-"));
  const key = { ...publicKey.export({ format: "jwk" }), kid: "1" };
  const issuer = { iss: "https://login.example", audiences: ["skerry"], algorithms: ["EdDSA"], keys: [key] };
  await writeFile(join(folder, "issuers.json"), JSON.stringify({ issuers: [issuer] }));
  const digest = createHash("sha256").update(KEY).digest("hex");
  await writeFile(join(folder, "keys"), `backend sha256:${digest} play,host,act-for\n* - play,host,watch\n`);
  server = await Server.start("--issuers", join(folder, "issuers.json"), "--keys", join(folder, "keys"));
}, 60_000);

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

/** Returns an identity token. `seconds`: until it expires. */
function token(sub: string, seconds = 300, kid = "1"): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(Date.now() / 1000) + seconds;
  const text = `${part({ alg: "EdDSA", kid })}.${part({ iss: "https://login.example", aud: "skerry", sub, exp })}`;
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString("base64url")}`;
}

/** Returns a function that returns expired tokens, and then valid ones. `asked` counts its calls. */
function issuer(sub: string, expired: number): { identity: () => Promise<string>; asked: number } {
  const made = {
    asked: 0,
    identity: async () => token(sub, made.asked++ < expired ? -3600 : 300),
  };
  return made;
}

async function refused(reason: string, call: Promise<unknown>): Promise<SkerryError> {
  const error = await tables.refused(call);
  expect(error.reason).toBe(reason);
  return error;
}

function client(identity: Identity): Client {
  return new Client(server.url, { fetch: withIdentity(identity) });
}

/** Starts a game of Ada and Bob. */
async function begun(): Promise<{ table: Table; ada: Seat; bob: Seat }> {
  const table = await client(token("ada")).create("kreta", { seats: 2 });
  const ada = await table.join("Ada");
  const bob = await (await client(token("bob")).table(table.name)).join("Bob");
  return { table, ada, bob };
}

describe("a user with an identity token", () => {
  it("continues on another device", async () => {
    const { table, ada, bob } = await begun();
    const seat = await recoverSeat(client(() => token("bob")), table.name);
    expect([seat.name, seat.number]).toEqual([table.name, 1]);
    expect(seat.token).not.toBe(bob.token);
    expect((await seat.position()).seat).toBe(1);
    await refused("TOKEN_INVALID", bob.position());
    const ids = (await ada.session()).seats.map((one) => one.playerId);
    expect(ids).toEqual([expect.stringMatching(/^vouched_/), expect.stringMatching(/^vouched_/)]);
    await refused("NOT_ALLOWED", recoverSeat(client(token("eve")), table.name));
    await refused("NOT_ALLOWED", recoverSeat(client(token("bob")), table.name, { seat: 0 }));
    await refused("IDENTITY_MISSING", recoverSeat(new Client(server.url), table.name));
    await ada.resign();
    const again = await rematch(client(token("bob")), table.name);
    expect([again.number, (await again.session()).seats[0]?.displayName]).toEqual([0, "Bob"]);
    await refused("NOT_ALLOWED", rematch(client(token("eve")), table.name));
    await refused("TOKEN_MISSING", rematch(new Client(server.url), table.name));
  });
});

describe("an outdated token", () => {
  it("is replaced once by calls at the same time", async () => {
    const ada = issuer("ada", 1);
    const skerry = client(ada.identity);
    await Promise.all(Array.from({ length: 8 }, () => skerry.games()));
    await skerry.games();
    expect(ada.asked).toBe(2);
  });

  it("is also one whose key the issuer has changed", async () => {
    const sent = [token("ada", 300, "0"), token("ada").replace(/[^.]+$/, token("eve").split(".")[2]!)];
    const asked: string[] = [];
    const skerry = client(() => (asked.push(sent[0] ?? token("ada")), sent.shift() ?? asked.at(-1)!));
    await refused("IDENTITY_INVALID", skerry.games());
    expect(await skerry.games()).toHaveLength(4);
    expect(asked).toHaveLength(3);
  });

  it("is an error if the function returns another one, or if there is no function", async () => {
    const ada = issuer("ada", 9);
    const error = await refused("IDENTITY_INVALID", client(ada.identity).games());
    expect([error.metadata["problem"], ada.asked]).toEqual(["expired", 2]);
    await refused("IDENTITY_INVALID", client(token("ada", -3600)).games());
  });

  it("is replaced for streams", async () => {
    const { table } = await begun();
    const ada = issuer("ada", 0);
    const skerry = client(ada.identity);
    const seat = await recoverSeat(skerry, table.name);
    for await (const update of seat.observe({ afterSequence: 0 })) {
      expect(update.position?.seat).toBe(0);
      break;
    }
    const late = issuer("ada", 1);
    const [found, other] = await Promise.all([
      findMatch(client(late.identity), "kreta", "Ada", { seats: [2] }).seat(),
      findMatch(client(token("bob")), "kreta", "Bob", { seats: [2] }).seat(),
    ]);
    expect([found.name, late.asked]).toEqual([other.name, 2]);
  });
});

describe("a function that fails", () => {
  it("is asked again, and is the cause of the error in the end", async () => {
    const errors = [new Error("offline")];
    const identity = (): string => {
      const error = errors.pop();
      if (error) throw error;
      return token("ada");
    };
    expect(await client(identity).games()).toHaveLength(4);
    errors.push(new Error("signed out"));
    const impatient = new Client(server.url, { fetch: withIdentity(identity), retryForMs: 0 });
    expect((await refused("CONNECTION_LOST", impatient.games())).cause).toMatchObject({ message: "signed out" });
  });
});

describe("a function that hangs", () => {
  it("keeps neither its call nor the next one", async () => {
    let asked = 0;
    const withAda = withIdentity(() => (asked++ < 2 ? new Promise<string>(() => undefined) : token("ada")));
    const impatient = new Client(server.url, { fetch: withAda, timeoutMs: 50, retryForMs: 0 });
    await refused("TIMED_OUT", impatient.games());
    const skerry = new Client(server.url, { fetch: withAda });
    const closing = new AbortController();
    const call = skerry.table("sessions/abcdefghijklmnop", { signal: closing.signal });
    closing.abort(new Error("the page closes"));
    await expect(call).rejects.toThrow("the page closes");
    expect(await skerry.games()).toHaveLength(4);
    expect(asked).toBe(3);
  });

  it("does not lose the answer that a newer call got", async () => {
    const answers: ((token: string) => void)[] = [];
    const withAda = withIdentity(() => new Promise<string>((resolve) => answers.push(resolve)));
    const late = new Client(server.url, { fetch: withAda });
    const first = late.games();
    await refused("TIMED_OUT", new Client(server.url, { fetch: withAda, timeoutMs: 50, retryForMs: 0 }).games());
    const second = late.games();
    for (const answer of answers) answer(token("ada"));
    expect([(await first).length, (await second).length, (await late.games()).length]).toEqual([4, 4, 4]);
    expect(answers).toHaveLength(2);
  });
});

describe("a backend that acts for its users", () => {
  it("plays without their tokens", async () => {
    const backend = (user: string): Client =>
      new Client(server.url, { fetch: actingFor(user, KEY) });
    const table = await backend("u-1").create("kreta", { seats: 2 });
    await table.join("Ada");
    await (await backend("u-2").table(table.name)).join("Bob");
    const seats = await Promise.all([backend("u-1").seat(table.name, ""), backend("u-2").seat(table.name, "")]);
    expect(seats.map(({ number, token }) => [number, token])).toEqual([[0, ""], [1, ""]]);
    await tables.play(seats, 4);
    const recovered = await recoverSeat(backend("u-1"), table.name);
    expect((await recovered.position()).seat).toBe(0);
    await refused("NOT_ALLOWED", backend("u-3").seat(table.name, ""));
  });
});
