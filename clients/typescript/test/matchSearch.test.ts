// Searches for a match on a real server. Each test has its own clock, so that tests do not find each other's players.
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { type api, Client, type Connection, findMatch, type MatchSearch, type MatchUpdate, SkerryError } from "../src/index.js";
import { Proxy } from "./proxy.js";
import { direct, refused } from "./tables.js";

let proxy: Proxy;
let far: Client;

beforeEach(async () => {
  proxy = await Proxy.before(inject("url"));
  far = new Client(proxy.url);
});

afterEach(() => proxy.close());

/** Returns clocks with a bank of some minutes. */
function bank(minutes: number): { clocks: api.ClockRange[] } {
  return { clocks: [{ least: { bank: { timeMs: minutes * 60_000 } } }] };
}

/** Reads updates until one has the state. */
async function reach<State extends MatchUpdate["state"]>(
  updates: AsyncIterator<MatchUpdate>,
  state: State,
): Promise<Extract<MatchUpdate, { state: State }>> {
  for (;;) {
    const { value } = await updates.next();
    if (value.state === state) return value as Extract<MatchUpdate, { state: State }>;
  }
}

/** Starts a search, and reads its first update. */
async function started(search: MatchSearch): Promise<AsyncIterator<MatchUpdate>> {
  const updates = search[Symbol.asyncIterator]();
  await reach(updates, "waiting");
  return updates;
}

describe("a search for a match", () => {
  it("proposes a match, and seats the players who confirm it", async () => {
    const ada = findMatch(direct, "kreta", "Ada", { seats: [2, 3], options: [{}], ...bank(1), skill: { value: 1500, range: 50 } });
    const updates = await started(ada);
    const bob = findMatch(direct, "games/kreta", "Bob", { seats: 2, ...bank(1), playerId: "account-2" }).seat();
    const { proposal, expires } = await reach(updates, "proposed");
    expect([proposal.seats, proposal.clock]).toMatchObject([2, { bank: { timeMs: 60_000 } }]);
    expect(expires).toBeGreaterThan(Date.now());
    expect(await ada.confirm()).toBe(true);
    const { seat, session, party } = await reach(updates, "seated");
    expect([session.state, party]).toEqual(["SESSION_STATE_PLAYING", []]);
    expect((await updates.next()).done).toBe(true);
    expect((await bob).name).toBe(seat.name);
    expect((await seat.position()).seat).toBe(seat.number);
    const again = await findMatch(direct, "kreta", "Ada", { seats: [2, 3], options: [{}], ...bank(1), skill: { value: 1500, range: 50 }, requestId: ada.requestId }).seat();
    expect(again.token).toBe(seat.token);
  });

  it("says how many others wait, and seats a party", async () => {
    const updates = await started(findMatch(direct, "kreta", "Ada", { seats: 4, ...bank(2) }));
    expect((await reach(updates, "waiting")).otherPlayers).toBe(0);
    const pair = findMatch(direct, "kreta", "Bob", { seats: 4, ...bank(2), party: [{ displayName: "Bea" }] });
    const others = await started(pair);
    expect((await reach(updates, "waiting")).otherPlayers).toBe(2);
    await updates.return!();
    const rest = ["Cyd", "Dot"].map((name) => findMatch(direct, "kreta", name, { seats: 4, ...bank(2) }).seat());
    await reach(others, "proposed");
    await pair.confirm();
    const { seat, party } = await reach(others, "seated");
    const seats = [seat, ...party, ...(await Promise.all(rest))];
    expect(seats.map(({ number }) => number).sort()).toEqual([0, 1, 2, 3]);
    expect((await party[0]!.position()).seat).toBe(party[0]!.number);
  });

  it("goes on for the others if a player declines", async () => {
    const ada = findMatch(direct, "kreta", "Ada", { seats: 2, ...bank(3) });
    const updates = await started(ada);
    const bob = findMatch(direct, "kreta", "Bob", { seats: 2, ...bank(3) });
    const declining = await started(bob);
    await reach(declining, "proposed");
    await reach(updates, "proposed");
    bob.leave();
    expect((await declining.next()).done).toBe(true);
    await reach(updates, "waiting");
    expect(await ada.confirm()).toBe(false);
    const cyd = findMatch(direct, "kreta", "Cyd", { seats: 2, ...bank(3) }).seat();
    await reach(updates, "proposed");
    await ada.confirm();
    expect((await reach(updates, "seated")).seat.name).toBe((await cyd).name);
  });

  it("resumes with its ticket after the connection was cut", async () => {
    const states: Connection["state"][] = [];
    let proposal = "";
    proxy.edit = (event) => (event.includes('"proposal":{') ? (proposal = event) : event);
    const search = findMatch(far, "kreta", "Ada", { seats: 2, ...bank(4), onConnection: ({ state }) => states.push(state) });
    const updates = await started(search);
    proxy.cut();
    const next = reach(updates, "proposed");
    await expect.poll(() => states).toEqual(["open", "waiting", "open"]);
    const bob = findMatch(direct, "kreta", "Bob", { seats: 2, ...bank(4) }).seat();
    const { expires } = await next;
    proxy.say(`${proposal}\n\n`); // as from a server that shuts down
    expect((await reach(updates, "proposed")).expires).toBe(expires);
    proxy.script.push("lose the answer");
    expect(await search.confirm()).toBe(true);
    expect((await reach(updates, "seated")).seat.name).toBe((await bob).name);
    const tickets = proxy.asked.filter(({ url }) => url.endsWith(":find")).map(({ body }) => (JSON.parse(body) as api.FindMatchRequest).requestId);
    expect(new Set(tickets)).toEqual(new Set([search.requestId]));
  });

  it("waits after a no-show, and fails with the refusals of the server", async () => {
    proxy.edit = (event) => event.replace('"heldMs":0', '"heldMs":60000');
    const gone = { error: { message: "No.", status: "FAILED_PRECONDITION", details: [{ domain: "skerry", reason: "PROPOSAL_EXPIRED" }] } };
    const updates = await started(findMatch(far, "kreta", "Ada", { seats: 3, ...bank(5) }));
    expect((await reach(updates, "waiting")).heldUntil).toBeGreaterThan(Date.now());
    proxy.say(`event: refusal\ndata: ${JSON.stringify(gone)}\n\n`);
    await expect(reach(updates, "seated")).rejects.toMatchObject({ reason: "PROPOSAL_EXPIRED" });
    expect((await refused(findMatch(direct, "chess", "Ada").seat())).reason).toBe("GAME_NOT_FOUND");
    const full = [{ domain: "skerry", reason: "LIMIT_REACHED" }, { retryDelay: "7s" }];
    proxy.script.push({ status: 429, body: { error: { message: "No.", status: "RESOURCE_EXHAUSTED", details: full } } });
    expect((await refused(findMatch(far, "kreta", "Ada").seat())).retryAfterMs).toBe(7000);
  });

  it("withdraws when its signal is aborted or it is left", async () => {
    const abort = new AbortController();
    const seat = findMatch(direct, "kreta", "Ada", { seats: 2, ...bank(6), signal: abort.signal }).seat();
    abort.abort(new SkerryError("TIMED_OUT", "Enough.", { status: "DEADLINE_EXCEEDED" }));
    expect((await refused(seat)).message).toBe("Enough.");
    const search = findMatch(direct, "kreta", "Bob", { seats: 2, ...bank(6) });
    search.leave();
    for await (const update of search) expect(update).toBeUndefined();
    await expect(search.seat()).rejects.toMatchObject({ name: "AbortError" });
    expect(await search.confirm()).toBe(false);
  });
});

describe("a search in a cell", () => {
  it("is confirmed with the ticket and the header of its cell", async () => {
    const sent: [string | null, unknown][] = [];
    const fetch = (_: unknown, init?: RequestInit): Promise<Response> => {
      const body: unknown = JSON.parse(`${init?.body as string}`);
      sent.push([new Headers(init?.headers).get("Skerry-Cell"), body]);
      const found = { ticket: "8f14.eu1", proposal: { id: "p", withinMs: 9000 } };
      return Promise.resolve(new Response(sent.length === 1 ? `data: ${JSON.stringify(found)}\n\n` : "{}"));
    };
    const search = findMatch(new Client("http://127.0.0.1", { fetch, cell: "us1" }), "kreta", "Ada");
    await reach(search[Symbol.asyncIterator](), "proposed");
    expect(await search.confirm()).toBe(true);
    expect(sent).toMatchObject([["us1", { game: "kreta" }], ["eu1", { ticket: "8f14.eu1", proposal: "p" }]]);
  });
});
