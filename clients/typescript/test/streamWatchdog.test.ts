import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { Client, type Connection, type Table } from "../src/index.js";
import { Proxy } from "./proxy.js";
import { begun, play } from "./tables.js";

// The network and the server are real. The time is simulated.
const SECOND = 1000;
let proxy: Proxy;
let table: Table;
let seats: Awaited<ReturnType<typeof begun>>["seats"];
let states: Connection["state"][];
/** The simulated browser tab. */
let tab: EventTarget & { visibilityState: "visible" | "hidden" };
let network: EventTarget;
/** The number of stream chunks that the client has received. */
let pieces: number;

/** A fetch that counts stream chunks. */
const counting: typeof fetch = async (...asked) => {
  const answer = await fetch(...asked);
  const transform = (piece: Uint8Array, to: TransformStreamDefaultController<Uint8Array>): void => {
    pieces += 1;
    to.enqueue(piece);
  };
  return new Response(answer.body?.pipeThrough(new TransformStream({ transform })), answer);
};

beforeEach(async () => {
  proxy = await Proxy.before(inject("url"));
  const game = await begun();
  seats = game.seats;
  table = await new Client(proxy.url, { sleepAfterMs: 600 * SECOND, fetch: counting }).table(game.table.name);
  states = [];
  pieces = 0;
  tab = Object.assign(new EventTarget(), { visibilityState: "visible" as const });
  network = new EventTarget();
  vi.stubGlobal("document", tab);
  vi.stubGlobal("addEventListener", network.addEventListener.bind(network));
  vi.stubGlobal("removeEventListener", network.removeEventListener.bind(network));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
});

afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  await proxy.close();
});

/** Observes the table and reads the first update. `next` resolves with the next one. */
async function following(): Promise<{ next: Promise<unknown>; stop: () => Promise<unknown> }> {
  const controller = new AbortController();
  const updates = table.observe({
    signal: controller.signal,
    onConnection: ({ state }) => states.push(state),
  });
  await updates.next();
  const next = updates.next();
  await vi.advanceTimersByTimeAsync(0);
  const stop = (): Promise<unknown> => {
    controller.abort();
    return next.catch(() => undefined);
  };
  return { next, stop };
}

function turn(visibility: "visible" | "hidden"): void {
  tab.visibilityState = visibility;
  tab.dispatchEvent(new Event("visibilitychange"));
}

/** Resolves when the condition holds, independently of the simulated time. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}

/** Sends a heartbeat. */
async function beat(): Promise<void> {
  const before = pieces;
  proxy.say(": heartbeat\n\n");
  await until(() => pieces > before);
  await vi.advanceTimersByTimeAsync(0);
}

/** Gives a request that must not happen enough time: three other calls complete meanwhile. */
async function meanwhile(): Promise<void> {
  for (let calls = 0; calls < 3; calls += 1) await (await fetch(`${proxy.url}/v1/games`)).text();
  await vi.advanceTimersByTimeAsync(0);
}

/** Returns the number of requests for streams. */
const follows = (): number => proxy.asked.filter(({ url }) => url.includes(":observe")).length;

const opened = (): number => states.filter((state) => state === "open").length;

describe("a silent stream", () => {
  it("is dead after 45 seconds, and not before", async () => {
    const { next, stop } = await following();
    proxy.silent = true;
    await vi.advanceTimersByTimeAsync(45 * SECOND - 1);
    expect(states).toEqual(["open"]);
    await vi.advanceTimersByTimeAsync(1);
    await until(() => states.length === 2);
    expect(states).toEqual(["open", "waiting"]);
    proxy.silent = false;
    await vi.advanceTimersByTimeAsync(SECOND);
    await until(() => opened() === 2);
    await play(seats, 1);
    await next;
    await stop();
  });

  it("stays alive while comments arrive", async () => {
    const { stop } = await following();
    for (let beats = 0; beats < 4; beats += 1) {
      await vi.advanceTimersByTimeAsync(40 * SECOND);
      await beat();
    }
    expect(states).toEqual(["open"]);
    await vi.advanceTimersByTimeAsync(45 * SECOND);
    await until(() => states.length === 2);
    expect(states).toEqual(["open", "waiting"]);
    await stop();
  });

  it("is resumed as often as it breaks: each message resets the budget", async () => {
    const { stop } = await following();
    for (let breaks = 1; breaks <= 3; breaks += 1) {
      const before = pieces;
      proxy.cut();
      await until(() => states.length === 2 * breaks);
      await vi.advanceTimersByTimeAsync(SECOND);
      await until(() => opened() === breaks + 1 && pieces > before);
      await vi.advanceTimersByTimeAsync(31 * SECOND);
    }
    await stop();
  });

  it("is not dead because its reader is slow", async () => {
    const updates = table.observe({ onConnection: ({ state }) => states.push(state) });
    await updates.next();
    await vi.advanceTimersByTimeAsync(300 * SECOND);
    await play(seats, 1);
    expect((await updates.next()).done).toBe(false);
    expect(states).toEqual(["open"]);
    await updates.return();
  });

  it("is dead if its headers do not arrive within the timeout of a call", async () => {
    proxy.script.push("hang");
    const updates = table.observe({ onConnection: ({ state }) => states.push(state) });
    const first = updates.next();
    await until(() => proxy.asked.some(({ url }) => url.endsWith(":observe")));
    await vi.advanceTimersByTimeAsync(10 * SECOND);
    await until(() => states.length === 1);
    await vi.advanceTimersByTimeAsync(SECOND);
    await first;
    expect(states).toEqual(["waiting", "open"]);
    await updates.return();
  });
});

describe("a tab", () => {
  it("that becomes visible reopens a stream that has missed a heartbeat", async () => {
    const { stop } = await following();
    turn("hidden");
    proxy.silent = true;
    vi.setSystemTime(Date.now() + 30 * SECOND); // A closed laptop stops the timers.
    proxy.silent = false;
    turn("visible");
    await until(() => opened() === 2);
    expect(states).toEqual(["open", "open"]);
    await stop();
  });

  it("that becomes visible keeps a stream that has just received something", async () => {
    const { next, stop } = await following();
    turn("hidden");
    await vi.advanceTimersByTimeAsync(10 * SECOND);
    turn("visible");
    await play(seats, 1);
    await next;
    expect(states).toEqual(["open"]);
    await stop();
  });

  it("that comes online reopens its stream, however recently it received something", async () => {
    const { stop } = await following();
    network.dispatchEvent(new Event("online"));
    await until(() => opened() === 2);
    await stop();
  });

  it("that comes online skips the delay before the next attempt, unless the server asked for the delay", async () => {
    const { stop } = await following();
    for (let attempts = 0; attempts < 6; attempts += 1) proxy.script.push({ status: 502, body: "" });
    proxy.cut();
    await until(() => states.length === 2);
    for (let attempts = 2; attempts <= 6; attempts += 1) {
      await vi.advanceTimersByTimeAsync(4 * SECOND);
      await until(() => states.length === attempts + 1);
    }
    network.dispatchEvent(new Event("online"));
    await until(() => states.length === 8); // The sixth refusal. The time does not advance.
    proxy.script.push({ status: 503, headers: { "Retry-After": "9" }, body: "" });
    network.dispatchEvent(new Event("online"));
    await until(() => states.length === 9);
    const before = follows();
    network.dispatchEvent(new Event("online"));
    await meanwhile();
    await vi.advanceTimersByTimeAsync(9 * SECOND - 1);
    await meanwhile();
    expect(follows()).toBe(before);
    await vi.advanceTimersByTimeAsync(1);
    await until(() => opened() === 2);
    await stop();
  });

  it("that is hidden for long closes its stream, and misses nothing when it is visible again", async () => {
    const { next, stop } = await following();
    turn("hidden");
    for (let minutes = 0; minutes < 19; minutes += 1) {
      await vi.advanceTimersByTimeAsync(30 * SECOND);
      await beat();
    }
    expect(states).toEqual(["open"]);
    await vi.advanceTimersByTimeAsync(30 * SECOND);
    await until(() => states.length === 2 && proxy.streams === 0);
    expect(states).toEqual(["open", "asleep"]);
    network.dispatchEvent(new Event("online"));
    await meanwhile();
    expect(states).toEqual(["open", "asleep"]);
    const reached = await play(seats, 2);
    turn("visible");
    expect(await next).toMatchObject({ value: { sequence: `${reached}` } });
    await stop();
  });
});
