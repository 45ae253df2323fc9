import { type api, SkerryError } from "skerry-client";
import { describe, expect, it } from "vitest";
import { acrossPercent, chancesAt, connectedPoints, curvePath, progress } from "../src/analysis/curve.js";
import { readAnalysis } from "../src/analysis/useAnalysis.js";
import { client } from "./games.js";

const POINTS: api.ChancePoint[] = [
  { sequence: "4", chances: [0.5, 0.5] },
  { sequence: "9", chances: [0.75, 0.25] },
  { sequence: "24", chances: [0, 1] },
];
const SPAN = { first: 4, last: 24, now: 24 };

function part(complete: boolean, points = POINTS): api.GetAnalysisResponse {
  return { complete, points, swings: [] };
}

describe("the curve", () => {
  it("leads from the first entry to the last, upwards to a chance of 1", () => {
    expect(curvePath(POINTS, 0, SPAN)).toBe("M0 50L25 25L100 100");
    expect(curvePath(POINTS, 1, SPAN)).toBe("M0 50L25 75L100 0");
    expect(curvePath([], 0, SPAN)).toBe("");
    expect(acrossPercent(7, { first: 7, last: 7, now: 7 })).toBe(0);
  });

  it("says the chances after every entry", () => {
    expect([4, 8, 9, 23, 24, 30].map((sequence) => chancesAt(POINTS, sequence)?.[0])).toEqual([0.5, 0.5, 0.75, 0.75, 0, 0]);
    expect(chancesAt(POINTS, 1)).toEqual([0.5, 0.5]);
    expect(chancesAt([], 1)).toBeUndefined();
  });

  it("does not lead to the outcome before the points between are known", () => {
    expect(connectedPoints(part(false))).toEqual(POINTS.slice(0, 2));
    expect(connectedPoints(part(true))).toEqual(POINTS);
    expect(progress(part(false), SPAN)).toBe(0.25);
    expect(progress(part(false, POINTS.slice(2)), SPAN)).toBe(0);
    expect(progress(part(true), SPAN)).toBe(1);
  });
});

describe("reading an analysis", () => {
  it("repeats the call until the analysis is complete, also after a limit", async () => {
    const answers = [part(false), new SkerryError("LIMIT_REACHED", "Later.", { status: "RESOURCE_EXHAUSTED", retryAfterMs: 1 }), part(true)];
    const parts: boolean[] = [];
    const analysis = async (): Promise<api.GetAnalysisResponse> => {
      const next = answers.shift();
      if (!next || next instanceof SkerryError) throw next ?? new Error("asked once more");
      return next;
    };
    await readAnalysis({ analysis }, new AbortController().signal, ({ complete }) => parts.push(complete));
    expect(parts).toEqual([false, true]);
    expect(answers).toEqual([]);
  });

  it("reports what a server refuses", async () => {
    const table = await client.create("kreta", { seats: 2, bots: 1 });
    const reading = readAnalysis(table, new AbortController().signal, () => expect.unreachable());
    await expect(reading).rejects.toThrow(expect.objectContaining({ reason: "NOT_FINISHED" }));
  });
});
