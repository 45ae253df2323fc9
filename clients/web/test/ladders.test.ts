import type { api } from "skerry-client";
import { expect, it } from "vitest";
import { along, axisOf, fragmentOf, rowOf, shownBy } from "../src/ladders/ladderText.js";
import { clockText, endNotesOf, resultOf, since } from "../src/rankings/rankingText.js";

const NOW = Date.UTC(2026, 10, 28, 12);
const MINUTE = 60_000;

function rated(low: number, high: number): api.Standing {
  return { rating: { value: (low + high) / 2, low, high } } as api.Standing;
}

function game(...ranks: number[]): api.LadderGame {
  return { seats: ranks.map((rank) => ({ rank })) } as api.LadderGame;
}

it.each([
  [0, "now"],
  [MINUTE - 1, "now"],
  [-5_000, "now"], // the clock of the browser is behind
  [MINUTE, "1 min. ago"],
  [59 * MINUTE, "59 min. ago"],
  [60 * MINUTE, "1 hr. ago"],
  [47 * 60 * MINUTE, "1 day ago"],
])("a time %i ms ago is %s", (passed, text) => expect(since(NOW - passed, NOW)).toBe(text));

it("a time long ago is a date", () => expect(since(NOW - 90 * 1440 * MINUTE, NOW)).toContain("2026"));

it("the axis has round ends and contains all intervals", () => {
  const standings = [rated(1480, 1590), {} as api.Standing, rated(1310, 1420)];
  const axis = axisOf(standings)!;
  expect(axis).toEqual({ low: 1300, high: 1600, marks: [1300, 1400, 1500, 1600] });
  expect(["0%", "50%", "100%"]).toEqual([1300, 1450, 1600].map((value) => along(axis, value)));
});

it.each([
  [1500, 1500],
  [1499.9, 1500.1],
  [-4000, 9000],
])("the axis of an interval from %i to %i contains it and has few marks", (low, high) => {
  const axis = axisOf([rated(low, high)])!;
  expect(axis.low).toBeLessThanOrEqual(low);
  expect(axis.high).toBeGreaterThanOrEqual(high);
  expect(axis.marks.length).toBeLessThanOrEqual(6);
  expect(along(axis, low)).toMatch(/^\d+(\.\d)?%$/);
});

it("there is no axis without ratings", () => expect(axisOf([{} as api.Standing])).toBeUndefined());

it.each([
  [[1, 2], 0, "won"],
  [[1, 2], 1, "lost"],
  [[1, 1], 1, "tied"],
  [[2, 1, 3], 0, "2nd of 3"],
  [[0, 0], 0, ""],
])("in a game with ranks %j, seat %i has the result %j", (ranks, seat, result) => {
  const played = game(...ranks);
  expect(resultOf(played, played.seats[seat]!)).toBe(result);
});

it.each([
  ["TENERIFE-END-1: the last year is over.", ["", ""], []],
  ["Ada resigned.", ["", ""], ["Ada resigned"]],
  ["Ada ran out of time.", ["ran out of time", ""], ["Ada ran out of time"]],
  ["", ["", ""], []],
])("a game with the reason %j and the failures %j has the notes %j", (reason, failures, notes) => {
  const seats = failures.map((failure, seat) => ({ displayName: ["Ada", "Bob"][seat], failure }));
  expect(endNotesOf({ seats, reason } as api.LadderGame)).toEqual(notes);
});

it("the fragment of the address keeps what is shown", () => {
  for (const shown of [{ season: 0, open: "" }, { season: 2, open: "" }, { season: 0, open: "gull.1a2b3c4d" }]) {
    expect(shownBy(fragmentOf(shown))).toEqual(shown);
  }
  expect(fragmentOf({ season: 0, open: "" })).toBe("");
  expect(shownBy("#season=-1&open=%E0%A4%A").season).toBe(0);
  expect(shownBy("#season=1e99").season).toBe(0);
});

it("a clock is described in words", () => {
  const onExpiry = "TIMEOUT_ACTION_END";
  expect(clockText({ onExpiry, bank: { timeMs: 300_000, incrementMs: 5_000 } })).toBe("5 min each + 5 sec per turn");
  expect(clockText({ onExpiry, bank: { timeMs: 90_000, incrementMs: 0 } })).toBe("90 sec each");
  expect(clockText({ onExpiry, unknownKind: undefined as never })).toBe("");
});

it("each version of a bot has a row of its own, and so has each person with the same name", () => {
  const standing = { bot: "bots/gull", version: "1a2b3c4d".repeat(8), displayName: "gull" } as api.Standing;
  expect(rowOf(standing, 3)).toBe("gull.1a2b3c4d");
  const person = { ...standing, bot: "", displayName: "Ada" };
  expect(rowOf(person, 0)).not.toBe(rowOf(person, 1));
});
