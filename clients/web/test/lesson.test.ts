import type { api } from "skerry-client";
import { describe, expect, it } from "vitest";
import { allowedMoves, answerTo, placeOf } from "../src/learn/useLesson.js";
import { countMoves } from "../src/session/standingMoves.js";

const move = (card: string): api.Move => ({ text: card, kreta: { playCard: { card } } }) as unknown as api.Move;

function step(sequence: number, cards: string[] = [], answers: Record<string, string> = {}): api.LessonStep {
  return { sequence: `${sequence}`, text: "", more: "", marks: [], moves: cards.map(move), answers, answersSentences: {} };
}

const at = (sequence: number, isToMove = true): { sequence: number; isToMove: boolean } => ({ sequence, isToMove });

describe("the place of a position in a lesson", () => {
  const steps = [step(3), step(3, ["COMMANDER"]), step(6, ["ABBOT"]), step(8), step(8)];

  it("is the step reached of those at its entry", () => {
    expect([0, 1, 4].map((reached) => placeOf(steps, at(3), reached))).toEqual([0, 1, 0]);
    expect(placeOf(steps, at(6), 1)).toBe(2);
  });

  it("is the coming step while the opponents move, and none if the learner moves elsewhere", () => {
    expect(placeOf(steps, at(5, false), 1)).toBe(2);
    expect(placeOf(steps, at(5), 1)).toBeUndefined();
  });

  it("stays at the steps after the last move, whatever the opponents do", () => {
    expect([0, 4].map((reached) => placeOf(steps, at(12), reached))).toEqual([3, 4]);
  });
});

describe("the moves made in a lesson", () => {
  it("are those that stand, without other entries", () => {
    const kinds = [{ created: {} }, { moved: {} }, { nudged: {} }, { moved: {} }, { undone: { first: "4" } }, { labelled: {} }, { moved: {} }];
    const entries = kinds.map((kind, place) => ({ sequence: `${place + 1}`, ...kind })) as unknown as api.Entry[];
    expect([1, 3, 4, 6, 7].map((last) => countMoves(entries, last))).toEqual([0, 1, 2, 1, 2]);
  });
});

describe("a step with moves", () => {
  const one = step(3, ["COMMANDER"], { king: "Not the king." });

  it("allows its moves of the legal ones, whatever their words", () => {
    const legal = [{ ...move("COMMANDER"), text: "other words" }, move("KING")];
    expect(allowedMoves(one, legal, "kreta")).toEqual([legal[0]]);
  });

  it("finds the moves of a game whose id has two words", () => {
    const [take, other] = ["L36", "L07"].map((tile) => ({ text: tile, smallIslands: { takeTile: { tile } } }) as unknown as api.Move);
    expect(allowedMoves({ ...one, moves: [take!] }, [other!, take!], "small_islands")).toEqual([take]);
  });

  it("answers what it names and other legal choices, and leaves the rest to the server", () => {
    const legal = new Set(["king", "farmer"]);
    expect(["king", "farmer", "fort"].map((target) => answerTo(one, target, legal))).toEqual([
      "Not the king.",
      "Not now. Choose what the lesson has marked.",
      "",
    ]);
    expect(answerTo(step(3), "king", legal)).toBe("");
  });
});
