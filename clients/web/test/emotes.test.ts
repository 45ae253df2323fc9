import type { api } from "skerry-client";
import { describe, expect, it } from "vitest";
import { EMOTES, emoteText, saidAfter } from "../src/table/emotes.js";
import { isSameDecision, lastChange } from "../src/table/playback.js";

function entry(sequence: number, seat: number, kind: object): api.Entry {
  return { sequence: `${sequence}`, time: "", seat, ...kind } as unknown as api.Entry;
}

const LOG = [
  entry(1, 0, { moved: {} }),
  entry(2, 1, { emoted: { emote: "EMOTE_THANKS" } }),
  entry(3, 0, { nudged: { by: 1 } }),
  entry(4, 0, { emoted: { emote: "EMOTE_OOPS" } }),
];
const at = (sequence: number): api.Position => ({ sequence: `${sequence}` }) as unknown as api.Position;

describe("emotes", () => {
  it("are six with words of their own, and others of newer servers", () => {
    expect(new Set(EMOTES.map(emoteText)).size).toBe(6);
    expect(emoteText("EMOTE_WELL_PLAYED")).toBe("Well played!");
    expect(emoteText("EMOTE_DANCE" as api.Emote)).toBe("…");
  });

  it("that are new are shown, in their order", () => {
    expect(saidAfter(LOG, 0).map(({ seat, text }) => [seat, text])).toEqual([
      [1, "Thanks!"],
      [0, "Oops!"],
    ]);
    expect(saidAfter(LOG, 2).map(({ sequence }) => sequence)).toEqual(["4"]);
    expect(saidAfter(LOG, 4)).toEqual([]);
  });

  it("do not change what the player has selected, nor do nudges", () => {
    expect(lastChange(LOG, at(4))).toBe("1");
    const later = [...LOG, entry(5, 1, { undone: { first: "1" } })];
    expect([lastChange(later, at(5)), lastChange(later, at(4)), lastChange([], at(7))]).toEqual(["5", "1", "7"]);
  });

  it("leave a decision as it is, as do moves of others who decide at the same time", () => {
    const choosing = (sequence: number, ...texts: string[]): api.Position =>
      ({ ...at(sequence), seat: 0, legalMoves: texts.map((text) => ({ text })) }) as unknown as api.Position;
    const log = [...LOG, entry(5, 1, { moved: {} }), entry(6, 0, { moved: {} }), { ...entry(7, 0, { moved: {} }), seat: undefined }] as api.Entry[];
    expect(isSameDecision(choosing(1, "a", "b"), choosing(5, "a", "b"), log)).toBe(true);
    expect(isSameDecision(choosing(1, "a", "b"), choosing(5, "a"), log)).toBe(false);
    expect(isSameDecision(choosing(5, "a"), choosing(6, "a"), log)).toBe(false);
    expect(isSameDecision(choosing(6, "a"), choosing(7, "a"), log)).toBe(false);
    expect(isSameDecision(choosing(4), choosing(5), log)).toBe(false);
  });
});
