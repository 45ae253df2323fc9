// A player's own sessions, on a server that knows the issuer of the player's identity token.
import { webcrypto } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Client } from "../src/index.js";
import { mySessions, type MySessionsOptions } from "../src/tables.js";
import { Server } from "./server.js";
import { refused } from "./tables.js";

const ISSUER = "https://login.example";
let folder: string;
let server: Server;
let keys: webcrypto.CryptoKeyPair;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skerry-issuers-"));
  keys = await webcrypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
  const { kty, crv, x, y } = await webcrypto.subtle.exportKey("jwk", keys.publicKey);
  const issuer = { iss: ISSUER, audiences: ["skerry"], algorithms: ["ES256"], keys: [{ kty, crv, x, y, kid: "1" }] };
  const file = join(folder, "issuers.json");
  await writeFile(file, JSON.stringify({ issuers: [issuer] }));
  server = await Server.start("--issuers", file);
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

/** Returns a client that sends the identity token of a user. */
async function clientOf(sub: string): Promise<Client> {
  const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  const claims = { iss: ISSUER, aud: "skerry", sub, exp: Math.floor(Date.now() / 1000) + 600 };
  const signed = `${encoded({ alg: "ES256", kid: "1" })}.${encoded(claims)}`;
  const signature = await webcrypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, keys.privateKey, Buffer.from(signed));
  const token = `${signed}.${Buffer.from(signature).toString("base64url")}`;
  return new Client(server.url, {
    fetch: (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set("Skerry-Identity", token);
      return fetch(url, { ...init, headers });
    },
  });
}

async function listed(client: Client, options: MySessionsOptions = {}): Promise<[string, number | undefined, boolean][]> {
  const all: [string, number | undefined, boolean][] = [];
  for await (const { session, turn } of mySessions(client, options)) all.push([session.name, turn.seat, turn.waits]);
  return all;
}

describe("mySessions", () => {
  it("yields the sessions of the player, those that wait first", async () => {
    const [ada, bob] = [await clientOf("ada"), await clientOf("bob")];
    const table = await ada.create("kreta", { seats: 2, visibility: "unlisted", labels: { event: "cup", round: "1" } });
    const seat = await table.join("Ada");
    await (await bob.table(table.name)).join("Bob");
    const lobby = await ada.create("kreta", { seats: 2, labels: { event: "cup" } });
    await lobby.join("Ada");
    const turn = (await seat.position()).toAct[0];
    expect(await listed(bob)).toEqual([[table.name, 1, turn === 1]]);
    const [playing, waiting] = [[table.name, 0, turn === 0], [lobby.name, 0, false]];
    expect(await listed(ada)).toEqual(turn === 0 ? [playing, waiting] : [waiting, playing]);
    expect(await listed(ada, { labels: ["round=1", "event"] })).toEqual([playing]);
    expect(await listed(ada, { state: "lobby", game: "games/kreta" })).toEqual([waiting]);
    expect(await listed(ada, { game: "canarias" })).toEqual([]);
  });

  it("needs an identity token", async () => {
    expect((await refused(listed(new Client(server.url)))).reason).toBe("IDENTITY_MISSING");
  });
});
