import type { api } from "skerry-client";
import { afterEach, describe, expect, it, vi } from "vitest";
import { poll } from "../src/polling.js";
import { NOTHING, withNews } from "../src/session/followed.js";
import { REMATCH_POLLING } from "../src/session/useRematch.js";
import { wait } from "../src/session/waiting.js";

function entry(sequence: number): api.Entry {
  return { sequence: `${sequence}`, time: "" } as api.Entry;
}

function position(sequence: number): api.Position {
  return { sequence: `${sequence}` } as api.Position;
}

describe("the log", () => {
  it("grows in place, and takes each entry once", () => {
    const first = withNews({ ...NOTHING, entries: [] }, { entries: [entry(1), entry(2)], sequence: "2", position: position(2) });
    const answered = withNews(first, { entries: [entry(3)], sequence: "3", position: position(3) });
    const streamed = withNews(answered, { entries: [entry(3), entry(4)], sequence: "4", position: position(4) });
    expect(streamed.entries).toBe(first.entries);
    expect(streamed.entries.map(({ sequence }) => sequence)).toEqual(["1", "2", "3", "4"]);
    expect(streamed.position?.sequence).toBe("4");
    const late = withNews(streamed, { entries: [entry(3)], sequence: "3", position: position(3) });
    expect([late.position, late.entries.length]).toEqual([streamed.position, 4]);
  });
});

describe("errors", () => {
  it("of this page are shown without their technical text", async () => {
    vi.stubGlobal("location", { origin: "http://localhost" });
    const { errorMessage } = await import("../src/server.js");
    expect(errorMessage(new TypeError("x is not a function"))).not.toContain("function");
  });
});

describe("waiting", () => {
  it("ends with the signal", async () => {
    const ending = new AbortController();
    const long = wait(1e9, ending.signal);
    ending.abort();
    await long;
    await wait(1e9, ending.signal);
  });
});

describe("polling", () => {
  const page = Object.assign(new EventTarget(), { hidden: false });
  afterEach(() => void [vi.useRealTimers(), vi.unstubAllGlobals(), (page.hidden = false)]);

  it("for a rematch slows down, stops while the page is hidden, and ends", async () => {
    vi.useFakeTimers();
    vi.stubGlobal("document", page);
    const reads: number[] = [];
    const read = (): Promise<undefined> => Promise.resolve(void reads.push(Date.now()));
    const stop = poll<string | undefined>(read, () => undefined, REMATCH_POLLING);
    await vi.advanceTimersByTimeAsync(20_000);
    const pauses = reads.slice(1).map((time, place) => time - reads[place]!);
    expect(pauses.length).toBeGreaterThan(2);
    expect(pauses).toEqual([...pauses].sort((one, other) => one - other));
    page.hidden = true;
    await vi.advanceTimersByTimeAsync(3_600_000);
    const hidden = reads.length;
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(reads.length).toBe(hidden);
    page.hidden = false;
    page.dispatchEvent(new Event("visibilitychange"));
    await vi.advanceTimersByTimeAsync(24 * 3_600_000);
    const last = reads.length;
    await vi.advanceTimersByTimeAsync(24 * 3_600_000);
    expect(reads.length).toBe(last);
    expect(last).toBeLessThan(60);
    stop();
  });

  it("for a rematch ends also when every read fails", async () => {
    vi.useFakeTimers();
    vi.stubGlobal("document", page);
    let reads = 0;
    const stop = poll<string | undefined>(() => Promise.reject(new Error(`${(reads += 1)}`)), () => undefined, REMATCH_POLLING);
    await vi.advanceTimersByTimeAsync(48 * 3_600_000);
    expect(reads).toBe(40);
    stop();
  });
});
