import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { type api, Client, type Connection, match, type Update } from "../src/index.js";
import { Proxy } from "./proxy.js";
import { Server } from "./server.js";
import { begun, direct, first, numbers, play, refused, upTo } from "./tables.js";

let proxy: Proxy;
let far: Client;

beforeEach(async () => {
  proxy = await Proxy.before(inject("url"));
  far = new Client(proxy.url);
});

afterEach(() => proxy.close());

/** Reads updates until that many entries have arrived. */
async function read(updates: AsyncIterator<Update>, reach: number, into: api.Entry[] = []): Promise<api.Entry[]> {
  while (into.length < reach) {
    const { value, done } = await updates.next();
    if (done) break;
    into.push(...value.entries);
  }
  return into;
}

describe("a stream that was cut", () => {
  it("resumes with every entry once", async () => {
    const { table, seats } = await begun();
    const watched = await far.table(table.name);
    const states: Connection["state"][] = [];
    const updates = watched.observe({ afterSequence: 0, onConnection: ({ state }) => states.push(state) });
    const seen: api.Entry[] = [];
    let last = Number((await table.session()).sequence);
    for (let cuts = 0; cuts < 3; cuts += 1) {
      await read(updates, last, seen);
      proxy.cut();
      last = await play(seats, 2);
    }
    await read(updates, last, seen);
    await updates.return();
    expect(numbers(seen)).toEqual(upTo(last));
    expect(states.filter((state) => state === "open")).toHaveLength(4);
    expect(watched.lastPosition?.sequence).toBe(`${last}`);
    const streams = proxy.asked.filter(({ url }) => url.includes(":observe"));
    expect(streams.map(({ url }) => url.split("?")[1])[0]).toBe("afterSequence=0");
  });

  it("repeats nothing if nothing happened meanwhile", async () => {
    const { table, seats } = await begun();
    const states: Connection["state"][] = [];
    const watched = await far.table(table.name);
    const updates = watched.observe({ onConnection: ({ state }) => states.push(state) });
    const opening = await updates.next();
    expect(opening.value?.session?.name).toBe(table.name);
    const next = updates.next();
    proxy.cut();
    await expect.poll(() => states).toEqual(["open", "waiting", "open"]);
    const sequence = await play(seats, 1);
    expect(numbers((await next).value?.entries ?? [])).toContain(sequence);
    await updates.return();
  });

  it("resumes after the server was killed and restarted", async () => {
    const server = await Server.start();
    const skerry = new Client(server.url, { retryForMs: Infinity }); // A busy machine starts a server slowly.
    const { table, seats } = await begun(skerry);
    const states: Connection["state"][] = [];
    const updates = table.observe({ afterSequence: 0, onConnection: ({ state }) => states.push(state) });
    const seen = await read(updates, await play(seats, 3));
    await server.kill();
    const next = read(updates, seen.length + 1, seen);
    await expect.poll(() => states).toContain("waiting");
    await server.start();
    const last = await play(seats, 3);
    await next;
    await read(updates, last, seen);
    await updates.return();
    expect(numbers(seen)).toEqual(upTo(last));
    await server.stop();
  });

  it("fails if the server is down for longer than the budget", async () => {
    const { table } = await begun();
    const impatient = await new Client(proxy.url, { retryForMs: 300 }).table(table.name);
    const updates = impatient.observe();
    await updates.next();
    const next = refused(updates.next());
    await proxy.close();
    expect((await next).reason).toBe("CONNECTION_LOST");
    proxy = await Proxy.before(inject("url"));
  });
});

describe("a whole game", () => {
  it("is played over a connection that breaks repeatedly", async () => {
    const table = await far.create("kreta", { seats: 2, bots: 1 });
    const ada = await table.join("Ada");
    let turns = 0;
    for await (const { legalMoves } of ada.turns()) {
      turns += 1;
      if (turns % 5 === 0) proxy.cut();
      if (turns % 7 === 0) proxy.script.push("lose the answer");
      await ada.act(first(legalMoves));
    }
    const { entries } = await table.replay();
    const moved = entries.filter((entry) => "moved" in entry && entry.seat === ada.number && !entry.automatic);
    expect(moved).toHaveLength(turns);
  });
});

describe("an earlier position", () => {
  it("is read as it was, and does not become the newest", async () => {
    const { table, seats } = await begun();
    const seat = seats[first((await table.position()).toAct)]!;
    const before = await seat.position();
    await seat.act(first(before.legalMoves));
    const newest = seat.lastPosition;
    expect(Number(newest?.sequence)).toBeGreaterThan(Number(before.sequence));
    expect(await seat.position({ sequence: before.sequence })).toEqual(before);
    expect(seat.lastPosition).toBe(newest);
    const fresh = await direct.table(table.name);
    await fresh.read();
    expect((await fresh.read({ sequence: Number(before.sequence) })).position?.sequence).toBe(before.sequence);
    expect((await refused(seat.read({ sequence: 0 }))).is("INVALID_FIELD")).toBe(true);
    expect((await refused(seat.read({ sequence: 1000 }))).is("SEQUENCE_AHEAD")).toBe(true);
    expect((await refused(seat.read({ sequence: 1 }))).is("NOT_STARTED")).toBe(true);
  });
});

describe("a kind of entry that a newer server added", () => {
  it("passes through, and differs from all known kinds", async () => {
    const { table, seats } = await begun();
    const updates = (await far.table(table.name)).observe();
    await updates.next();
    proxy.edit = (event) => event.replaceAll('"moved":', '"danced":').replaceAll('"kreta":', '"atlantis":');
    await play(seats, 1);
    const entry = first((await updates.next()).value?.entries ?? []);
    expect(entry).toHaveProperty("danced");
    const none = (): string => "known";
    const still = { away: none, timedOut: none, nudged: none, webhookSet: none, undone: none, emoted: none };
    const going = { ...still, left: none, returned: none, recovered: none, resigned: none, seatOpened: none, cancelled: none, removed: none };
    const kinds = { created: none, joined: none, started: none, moved: none, labelled: none, ...going };
    expect(match(entry, kinds, () => "newer")).toBe("newer");
    await updates.return();
  });
});

describe("an update that does not follow the previous one", () => {
  it("is a reset after a gap", async () => {
    const { table, seats } = await begun();
    const updates = (await far.table(table.name)).observe({ afterSequence: 0 });
    const before = Number((await table.session()).sequence);
    await read(updates, before);
    const dropped = new Promise<void>((resolve) => {
      proxy.edit = () => {
        proxy.edit = (event) => event;
        return void resolve();
      };
    });
    const next = updates.next();
    await play(seats, 1);
    await dropped;
    const after = await play(seats, 1);
    const { value } = await next;
    expect(value?.reset).toBe(true);
    expect(value?.entries).toEqual([]);
    expect(value?.position?.sequence).toBe(`${after}`);
    expect(value?.session?.name).toBe(table.name);
    const last = await play(seats, 1);
    expect((await updates.next()).value).toMatchObject({ reset: false, sequence: `${last}` });
    await updates.return();
  });

  it("is a reset in a new epoch", async () => {
    const { table, seats } = await begun();
    const watched = await far.table(table.name);
    const updates = watched.observe({ afterSequence: 0 });
    const before = Number((await table.session()).sequence);
    await read(updates, before);
    proxy.edit = (event) => event.replace(/"epoch":"[^"]*"/g, '"epoch":"later"');
    const next = updates.next();
    const after = await play(seats, 1);
    const { value } = await next;
    expect(value).toMatchObject({ reset: true, epoch: "later", entries: [], position: { sequence: `${after}` } });
    await updates.return();
  });

  it("is refused if the caller invented the sequence", async () => {
    const { table } = await begun();
    const error = await refused((await far.table(table.name)).observe({ afterSequence: 1000 }).next());
    expect(error.is("SEQUENCE_AHEAD") && error.metadata.sequence).toBe((await table.session()).sequence);
  });

  it("is a reset if the log is shorter than what this handle received", async () => {
    const { table } = await begun();
    const watched = await far.table(table.name);
    const details = [{ domain: "skerry", reason: "SEQUENCE_AHEAD" }];
    proxy.script.push({ status: 400, body: { error: { status: "OUT_OF_RANGE", message: "", details } } });
    const updates = watched.observe({ afterSequence: watched.lastPosition?.sequence });
    expect((await updates.next()).value).toMatchObject({ reset: true, entries: [] });
    await updates.return();
  });
});

describe("a stream ends", () => {
  it("on the server when the loop is left", async () => {
    const { table } = await begun();
    for await (const update of (await far.table(table.name)).observe()) {
      expect(update.session?.name).toBe(table.name);
      break;
    }
    await expect.poll(() => proxy.streams).toBe(0);
  });

  it("when its signal is aborted, with the signal's reason", async () => {
    const { table } = await begun();
    const controller = new AbortController();
    const updates = (await far.table(table.name)).observe({ signal: controller.signal });
    await updates.next();
    const next = updates.next();
    controller.abort(new Error("closed"));
    await expect(next).rejects.toThrow("closed");
    await expect.poll(() => proxy.streams).toBe(0);
  });

  it("when its signal is aborted, although more messages have arrived", async () => {
    const { table, seats } = await begun();
    const controller = new AbortController();
    const updates = (await far.table(table.name)).observe({ signal: controller.signal });
    await updates.next();
    const held: string[] = [];
    proxy.edit = (event) => (held.push(event) < 3 ? undefined : held.join("\n\n"));
    const next = updates.next();
    await play(seats, 3);
    await next;
    controller.abort(new Error("closed"));
    await expect(updates.next()).rejects.toThrow("closed");
    await expect.poll(() => proxy.streams).toBe(0);
  });

  it("when its signal is aborted, although each move brings the next turn", async () => {
    const table = await direct.create("kreta", { seats: 2, bots: 1 });
    const ada = await table.join("Ada");
    const controller = new AbortController();
    const turns = ada.turns({ signal: controller.signal });
    await ada.act(first((await turns.next()).value?.legalMoves ?? []));
    controller.abort(new Error("closed"));
    await expect(turns.next()).rejects.toThrow("closed");
  });

  it("when its signal is aborted while it waits for the server", async () => {
    const { table } = await begun();
    const controller = new AbortController();
    const watched = await far.table(table.name);
    proxy.script.push({ status: 503, headers: { "Retry-After": "20" } });
    const updates = watched.observe({
      signal: controller.signal,
      onConnection: ({ state }) => state === "waiting" && controller.abort(),
    });
    await expect(updates.next()).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  });

  it("at once if the game is over and everything was received", async () => {
    const table = await direct.create("kreta", { seats: 2, bots: 2 });
    const updates = table.observe({ afterSequence: (await table.session()).sequence });
    expect((await updates.next()).value?.position?.outcome).toBeDefined();
    expect((await updates.next()).done).toBe(true);
  });
});
