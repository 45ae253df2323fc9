import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, inject, it, type MockInstance, vi } from "vitest";
import { Client, type Reason, type Seat, type SkerryError, type Table } from "../src/index.js";
import { inLanguage } from "../src/language.js";
import { Proxy, type Scripted } from "./proxy.js";
import { begun, direct, first, play, refused } from "./tables.js";

const SECOND = 1000;
let proxy: Proxy;
let far: Client;

beforeEach(async () => {
  proxy = await Proxy.before(inject("url"));
  far = new Client(proxy.url);
});

afterEach(async () => {
  vi.useRealTimers();
  await proxy.close();
});

/** Returns a scripted refusal in the service's format. */
function refusal(status: number, code: string, reason: string, wait?: string): Scripted {
  const details = [{ domain: "skerry", reason, metadata: {} }, ...(wait ? [{ retryDelay: wait }] : [])];
  return { status, body: { error: { message: "No.", status: code, details } } };
}

const shuttingDown = refusal(503, "UNAVAILABLE", "SHUTTING_DOWN");

/** Resolves when the proxy has received that many requests. */
async function asked(times: number): Promise<void> {
  while (proxy.asked.length < times) await new Promise(setImmediate);
}

describe("a call whose response is lost", () => {
  it("is retried with its request id, and carried out once", async () => {
    const { table, seats } = await begun();
    const seat = await far.seat(table.name, seats[first((await table.position()).toAct)]!.token);
    const before = await seat.position();
    proxy.asked.length = 0;
    proxy.script.push("lose the answer", "lose the answer");
    const { entries } = await seat.act(first(before.legalMoves));
    const ids = proxy.asked.map(({ body }) => (JSON.parse(body) as { requestId: string }).requestId);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
    expect(first(entries).sequence).toBe(`${Number(before.sequence) + 1}`);
    const moved = (await table.replay()).entries.filter((entry) => "moved" in entry && entry.seat === seat.number);
    expect(moved).toHaveLength(1);
  });

  it("returns the same tokens again", async () => {
    proxy.script.push("lose the answer");
    const table = await far.create("kreta", { seats: 2 });
    proxy.script.push("lose the answer");
    const ada = await table.join("Ada");
    expect((await direct.seat(table.name, ada.token)).number).toBe(0);
    expect((await table.start({ fillWithBots: true })).seats.map((seat) => seat.occupant)).toEqual([
      "OCCUPANT_PLAYER",
      "OCCUPANT_BOT",
    ]);
  });
});

describe("an invalid argument", () => {
  it("throws before anything is sent", async () => {
    const table = await far.create("kreta", { seats: 2 });
    proxy.asked.length = 0;
    expect(() => new Client("localhost:8080")).toThrow("The server URL must start with http: or https:");
    await expect(far.seat(table.name, "half a line\nand another")).rejects.toThrow(TypeError);
    for (const bots of [3, [2], { 2: "random" }, [0.5, -1]]) {
      await expect(far.create("kreta", { seats: 2, bots })).rejects.toThrow(RangeError);
    }
    expect(proxy.asked).toEqual([]);
  });
});

describe("a server that is unavailable", () => {
  let timers: MockInstance<typeof setTimeout>;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
    timers = vi.spyOn(globalThis, "setTimeout");
  });

  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** Resolves when a timer of that length was set: the client has read the response and waits. */
  async function waiting(ms: number): Promise<void> {
    while (!timers.mock.calls.some(([, set]) => set === ms)) await new Promise(setImmediate);
  }

  it.each<[string, Scripted]>([
    ["as a header in seconds", { ...shuttingDown, headers: { "Retry-After": "7" } }],
    ["as a detail of the error", refusal(503, "UNAVAILABLE", "STORE_UNAVAILABLE", "7s")],
    [
      "as whichever is longer",
      { ...refusal(503, "UNAVAILABLE", "SHUTTING_DOWN", "6.5s"), headers: { "Retry-After": "7" } },
    ],
    ["from a proxy that is not Skerry", { status: 503, headers: { "Retry-After": "7" }, body: "<h1>Busy" }],
  ])("is retried after exactly the time that it names %s", async (_, script) => {
    proxy.script.push(script);
    const games = far.games();
    await waiting(7 * SECOND);
    await vi.advanceTimersByTimeAsync(7 * SECOND - 1);
    expect(proxy.asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect((await games).length).toBeGreaterThan(0);
    expect(proxy.asked).toHaveLength(2);
  });

  it("is retried at the date that it names", async () => {
    vi.setSystemTime(new Date("2026-01-01T00:00:00Z"));
    proxy.script.push({ status: 503, headers: { "Retry-After": "Thu, 01 Jan 2026 00:00:20 GMT" }, body: "" });
    const games = far.games();
    await waiting(20 * SECOND);
    await vi.advanceTimersByTimeAsync(20 * SECOND - 1);
    expect(proxy.asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await games;
  });

  it("is retried after growing delays if it names none", async () => {
    vi.spyOn(Math, "random").mockReturnValue(1);
    proxy.script.push(...Array.from({ length: 5 }, () => shuttingDown));
    const games = far.games();
    for (const [attempt, pause] of [100, 200, 400, 800, 1600].entries()) {
      await waiting(pause);
      await vi.advanceTimersByTimeAsync(pause - 1);
      expect(proxy.asked).toHaveLength(attempt + 1);
      await vi.advanceTimersByTimeAsync(1);
    }
    await games;
  });

  it("is not retried if it asks for more time than the budget", async () => {
    proxy.script.push({ status: 503, headers: { "Retry-After": "31" }, body: "" });
    const error = await refused(far.games());
    expect(error).toMatchObject({ retryAfterMs: 31 * SECOND, httpStatus: 503, unavailable: true });
    expect(proxy.asked).toHaveLength(1);
  });

  it("is called once by a client without retries", async () => {
    proxy.script.push(shuttingDown);
    const error = await refused(new Client(proxy.url, { retryForMs: 0 }).games());
    expect(error.reason).toBe("SHUTTING_DOWN");
  });

  it("is retried after a timeout", async () => {
    proxy.script.push("hang");
    const games = far.games();
    await asked(1);
    await vi.advanceTimersByTimeAsync(10 * SECOND); // Now the client waits for the next attempt.
    await vi.advanceTimersByTimeAsync(100);
    expect((await games).length).toBeGreaterThan(0);
  });
});

describe("an error without retry", () => {
  it("is a rate limit: the error says when to try again", async () => {
    proxy.script.push(refusal(429, "RESOURCE_EXHAUSTED", "LIMIT_REACHED", "2.5s"));
    const error = await refused(far.games());
    expect(error).toMatchObject({ reason: "LIMIT_REACHED", retryAfterMs: 2500, httpStatus: 429 });
    expect(error.localizedMessage).toBeUndefined();
    expect(proxy.asked).toHaveLength(1);
  });
  it("has the sentence in the language that the request accepts", async () => {
    const german = new Client(inject("url"), { fetch: inLanguage({ language: "de" }) });
    expect(await refused(german.howToPlay("chess"))).toMatchObject({
      message: "This server has no game 'chess'.",
      localizedMessage: "Dieser Server hat kein Spiel 'chess'.",
    });
  });

  it("has the message id and parameters, for clients that ask for them", async () => {
    const worded = new Client(inject("url"), { fetch: inLanguage({ language: "de", sentences: true }) });
    const sentence = { id: "error-no-game", parameters: { game: { text: "'chess'" } } };
    expect((await refused(worded.howToPlay("chess"))).sentence).toEqual(sentence);
    expect((await refused(new Client(inject("url")).howToPlay("chess"))).sentence).toBeUndefined();
  });

  it("has the message id of a refused move, for clients that ask for it", async () => {
    const worded = new Client(inject("url"), { fetch: inLanguage({ language: "de", sentences: true }) });
    const { table, seats } = await begun();
    const toAct = first((await table.position()).toAct);
    const { legalMoves } = await seats[toAct]!.position();
    const early = await worded.seat(table.name, seats[1 - toAct]!.token);
    const { sentence } = await refused(early.act(first(legalMoves)));
    expect(sentence).toMatchObject({ id: "error-not-your-turn", parameters: { number: { number: 1 } } });
  });

  it("comes after responses with message ids and parameters, for clients that ask for them", async () => {
    const firstMove = async (client: Client) => first((await client.game("kreta")).lesson!.steps.flatMap(({ moves }) => moves));
    expect((await firstMove(new Client(inject("url")))).sentence).toBeUndefined();
    const worded = new Client(inject("url"), { fetch: inLanguage({ language: "de", sentences: true }) });
    const move = await firstMove(worded);
    expect(move.text).toMatch(/spielen$/);
    expect(move.sentence).toMatchObject({ id: "kreta-play", parameters: { card: { term: expect.any(String) } } });
  });

  it("is a response that is not from Skerry", async () => {
    proxy.script.push({ status: 200, body: "<h1>Please log in" });
    expect((await refused(far.games())).reason).toBe("UNEXPECTED_ANSWER");
    proxy.script.push({ status: 404, body: "<h1>Not here" });
    expect(await refused(far.games())).toMatchObject({ reason: "UNEXPECTED_ANSWER", httpStatus: 404 });
    proxy.script.push({ status: 429, headers: { "Retry-After": "3" }, body: "null" });
    expect(await refused(far.games())).toMatchObject({ status: "RESOURCE_EXHAUSTED", retryAfterMs: 3000 });
  });

  it.each([["a text"], [null], [{ why: "?" }], [[null, "a text"]]])("is an error with unknown details: %j", async (details) => {
    proxy.script.push({ status: 404, body: { error: { status: "NOT_FOUND", details } } });
    expect(await refused(far.games())).toMatchObject({ reason: "UNEXPECTED_ANSWER", httpStatus: 404 });
    proxy.script.push({ status: 503, body: { error: { details } } });
    expect((await far.games()).length).toBeGreaterThan(0);
  });

  it.each([301, 302, 307, 308])("is a redirect: %i", async (status) => {
    const { table, seats } = await begun();
    const elsewhere = (path: string): number =>
      proxy.script.push({ status, headers: { Location: `${inject("url")}/v1/${path}` }, body: "" });
    elsewhere("sessions");
    const errors = [await refused(far.create("kreta", { seats: 2 }))];
    elsewhere(table.name);
    errors.push(await refused(far.seat(table.name, seats[0]!.token)));
    const seat = await far.seat(table.name, seats[0]!.token);
    elsewhere(`${table.name}:observe`);
    errors.push(await refused(seat.observe().next()));
    for (const error of errors) expect(error).toMatchObject({ reason: "UNEXPECTED_ANSWER", httpStatus: status });
  });

  it("is an abort by the caller: before the call, during it, and between attempts", async () => {
    await expect(far.games({ signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow("gone");
    expect(proxy.asked).toHaveLength(0);
    for (const script of ["hang", { status: 503, headers: { "Retry-After": "20" }, body: "" }] as const) {
      const controller = new AbortController();
      proxy.asked.length = 0;
      proxy.script.push(script);
      const games = far.games({ signal: controller.signal });
      await asked(1);
      controller.abort(new Error("gone"));
      await expect(games).rejects.toThrow("gone");
      expect(proxy.asked).toHaveLength(1);
    }
  });
});

it("leaves no listeners on the caller's signal", async () => {
  const { signal } = new AbortController();
  proxy.script.push({ status: 502, body: "" });
  await far.games({ signal });
  const { table } = await begun();
  proxy.script.push({ status: 502, body: "" });
  for await (const _ of (await far.table(table.name, { signal })).observe({ signal })) break;
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

describe("a refusal", () => {
  const nowhere = "sessions/0123456789abcdef";
  const stranger = "skerry_seat_0000000000000000000000";

  it.each<[Reason, () => Promise<unknown>]>([
    ["GAME_NOT_FOUND", () => far.game("chess")],
    ["GAME_NOT_FOUND", () => far.create("chess", { seats: 2 })],
    ["BAD_OPTIONS", () => far.create("kreta", { seats: 9 })],
    ["SESSION_NOT_FOUND", () => far.table(nowhere)],
    ["HTTP_PATH_NOT_FOUND", () => far.table("..")],
    ["TOKEN_INVALID", async () => far.seat((await begun()).table.name, stranger)],
    ["NOT_ALLOWED", async () => far.create("kreta", { seats: 2 }).then((it) => far.seat(it.name, it.hostToken!))],
    ["NOT_STARTED", async () => (await far.create("kreta", { seats: 2 })).position()],
    ["NOT_STARTED", async () => seated(async (_, ada) => ada.act({ kreta: { halt: {} } }))],
    ["TOKEN_MISSING", async () => (await far.table((await begun()).table.name)).start()],
    ["ALREADY_STARTED", async () => (await begun()).table.join("Cem")],
    ["TOO_FEW_SEATS", async () => (await far.create("kreta", { seats: 2 })).start()],
    ["NAME_TAKEN", async () => seated((table) => table.join("ADA"))],
    ["SEAT_TAKEN", async () => seated((table) => table.join("Bob", { seat: 0 }))],
    ["INVALID_FIELD", async () => seated((table) => table.join("{0}"))],
    ["GAME_OVER", async () => (await far.create("kreta", { seats: 2, bots: 2 })).label({ event: "cup" })],
  ])("has the reason %s", async (reason, call) => {
    const error = await refused(call());
    expect(error.reason).toBe(reason);
    expect(error.message).toMatch(/\.$/);
    expect(error.unavailable).toBe(false);
  });

  async function seated(next: (table: Table, ada: Seat) => Promise<unknown>): Promise<unknown> {
    const table = await far.create("kreta", { seats: 3 });
    return next(table, await table.join("Ada"));
  }

  it("of a move has the rule, the seats to act, or the sequence", async () => {
    const { table, seats } = await begun();
    const [toAct] = (await table.position()).toAct;
    const [other, mover] = [seats[1 - toAct!]!, seats[toAct!]!];
    const turn: SkerryError = await refused(other.act({ kreta: { halt: {} } }));
    expect(turn.is("NOT_YOUR_TURN") && turn.metadata.to_act).toBe(`${toAct}`);
    const broken = await refused(mover.act({ kreta: { halt: {} } }));
    expect(broken.is("RULE_BROKEN") && broken.metadata.rule).toMatch(/^KRETA-/);
    expect(broken.rule).toMatch(/^KRETA-/);
    const malformed = await refused(mover.act({ tenerife: {} } as never));
    expect(malformed.reason).toBe("MALFORMED_MOVE");
    const before = await mover.position();
    const twin = await direct.seat(table.name, mover.token);
    await twin.position();
    const { sequence } = await twin.act(first(before.legalMoves));
    const stale = await refused(mover.act(first(before.legalMoves)));
    expect(stale.is("STALE_SEQUENCE") && stale.metadata.sequence).toBe(sequence);
  });
});

describe("tokens", () => {
  it("are sent only in the header, and only where they are needed", async () => {
    const table = await far.create("kreta", { seats: 2 });
    const ada = await table.join("Ada");
    await table.label({ event: "cup" });
    await table.start({ fillWithBots: true });
    await ada.position();
    await ada.replay();
    for await (const _ of ada.observe()) break;
    await ada.leave();
    const tokens = [table.hostToken!, table.spectatorToken!, ada.token];
    for (const { url, body, headers } of proxy.asked) {
      expect(tokens.filter((token) => `${url} ${body} ${headers["referer"]}`.includes(token))).toEqual([]);
    }
    const sent = proxy.asked.map(({ url, headers }) => [url.split(/[:/]/).at(-1), headers.authorization?.split(" ")[1]]);
    expect(sent).toEqual([
      ["sessions", undefined],
      ["join", undefined],
      ["label", table.hostToken],
      ["start", table.hostToken],
      [table.name.split("/")[1], ada.token],
      ["replay", ada.token],
      ["observe", ada.token],
      ["leave", ada.token],
    ]);
  });
});

describe("a session", () => {
  it("has the options that it was created with", async () => {
    const seed = new Uint8Array(32).fill(7);
    const table = await direct.create("small_islands", {
      seats: 3,
      bots: [1],
      options: { startSeat: 2 },
      seed,
      visibility: "unlisted",
      spectating: "invited",
      labels: { event: "spring-cup" },
      publicPlayerIds: true,
    });
    const session = await table.session();
    expect(session).toMatchObject({
      game: "small_islands",
      options: { smallIslands: { startSeat: 2 } },
      seeded: true,
      visibility: "VISIBILITY_UNLISTED",
      spectating: "SPECTATING_INVITED",
      labels: { event: "spring-cup" },
      publicPlayerIds: true,
    });
    expect(session.seats.map(({ occupant }) => occupant.slice(9))).toEqual(["OPEN", "BOT", "OPEN"]);
    const cem = await table.join("Cem", { seat: 2, playerId: "cem-1" });
    expect(cem.number).toBe(2);
    expect((await table.session()).seats[2]?.playerId).toBe("cem-1");
    expect((await table.label({})).labels).toEqual({});
    await table.join("Ada");
    expect((await refused((await direct.table(table.name)).position())).reason).toBe("NOT_ALLOWED");
    const guest = await direct.table(table.name.split("/")[1]!, { spectatorToken: table.spectatorToken });
    expect((await guest.position()).seat).toBeUndefined();
  });

  it("with a join code admits players who know the code", async () => {
    const table = await direct.create("kreta", { seats: 3, joinCode: true });
    expect(table.joinCode).toMatch(/^[A-Z0-9]{6}$/);
    expect((await table.join("Ada")).number).toBe(0);
    const host = await direct.table(table.name, { hostToken: table.hostToken });
    expect(host.joinCode).toBe(table.joinCode);
    const guest = await direct.table(table.name);
    expect(guest.joinCode).toBeUndefined();
    expect((await refused(guest.join("Bob"))).reason).toBe("JOIN_CODE_WRONG");
    guest.joinCode = table.joinCode!.toLowerCase();
    expect((await guest.join("Bob")).number).toBe(1);
    const invited = await direct.table(table.name, { joinCode: table.joinCode });
    expect((await invited.join("Cem")).number).toBe(2);
  });

  it("opens the seat of a removed player", async () => {
    const table = await direct.create("kreta", { seats: 3 });
    const ada = await table.join("Ada");
    await table.join("Bob");
    expect((await table.remove(0)).seats.map(({ occupant }) => occupant.slice(9))).toEqual(["OPEN", "PLAYER", "OPEN"]);
    expect((await refused(ada.session())).reason).toBe("TOKEN_INVALID");
    expect((await refused(table.remove(0))).reason).toBe("NO_PLAYER");
    expect((await refused((await direct.table(table.name)).remove(1))).reason).toBe("TOKEN_MISSING");
  });

  it("can be repeated with the seed that it reveals at the end", async () => {
    const one = await direct.create("kreta", { seats: 2, bots: 2 });
    const { seed, outcome } = await one.session();
    const again = await direct.create("kreta", { seats: 2, bots: 2, seed });
    expect((await again.session()).outcome).toEqual(outcome);
  });

  it("is found by game, state and label, over several pages", async () => {
    const labels = { run: `r${Date.now()}` };
    const made = await Promise.all(
      Array.from({ length: 101 }, () => direct.create("tenerife", { seats: 2, labels })),
    );
    const found: string[] = [];
    const label = `run=${labels.run}`;
    for await (const { name } of direct.sessions({ game: "tenerife", state: "lobby", label })) found.push(name);
    expect(found.sort()).toEqual(made.map(({ name }) => name).sort());
    for await (const _ of direct.sessions({ game: "kreta", label })) expect.unreachable();
    for await (const _ of direct.sessions({ state: "finished", label })) expect.unreachable();
  });

  it("shows a game with its board and rules", async () => {
    const game = await direct.game("kreta");
    expect(game.board && "kreta" in game.board && game.board.kreta.provinces.length).toBe(16);
    expect(game.rules.some(({ id }) => id === "KRETA-ABBOT-1")).toBe(true);
  });

  it("does not change when a move is only validated", async () => {
    const { table, seats } = await begun();
    const mover = seats[first((await table.position()).toAct)]!;
    const { legalMoves, sequence } = await mover.position();
    expect((await mover.act(first(legalMoves), { validateOnly: true })).sequence).toBe(sequence);
    expect(mover.lastPosition?.sequence).toBe(sequence);
    expect(await play(seats, 1)).toBeGreaterThan(Number(sequence));
  });
});

it("supports servers behind a path", async () => {
  const games = await refused(new Client(`${proxy.url}/island/`).games());
  expect(games.reason).toBe("HTTP_PATH_NOT_FOUND");
  expect(proxy.asked.map(({ url }) => url)).toEqual(["/island/v1/games"]);
});
