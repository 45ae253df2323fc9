import type { api } from "skerry-client";
import { describe, expect, it } from "vitest";
import {
  advance,
  arrive,
  begin,
  countMissed,
  latestShown,
  MAX_STEPS,
  pendingGains,
  positionsToRead,
  review,
  seenUpTo,
  shownEntries,
  shownUpTo,
  skip,
  stepsBetween,
  touchedSince,
} from "../src/table/playback.js";

const SPECTATOR = undefined;
const [ADA, BEN, CLEO] = [0, 1, 2];

function piece(id: string, given: Partial<api.ScenePiece> = {}): api.ScenePiece {
  return { id, symbol: "ship", area: "board", x: 0, y: 0, count: 1, rotation: 0, label: "", badge: "", faded: false, above: "", place: "", ...given };
}

/** A move with one event for each name: it touches what is called so, and is worth a point to the mover. */
function moved(sequence: number, seat: number | undefined, events: string[], frames: Partial<api.SceneFrame>[] = [{}]): api.Entry {
  const effects = events.map((id) => ({ text: id, effect: { touched: [id], gains: [{ seat: seat ?? 0, points: 1, source: "Forts" }] } }));
  const shown = { events: effects, frames: frames.map((frame) => ({ put: [], removed: [], events: events.length, ...frame })) };
  return { sequence: `${sequence}`, time: "", ...(seat !== undefined && { seat }), moved: shown } as unknown as api.Entry;
}

function position(sequence: number, seat: number | undefined, pieces: api.ScenePiece[] = []): api.Position {
  return { sequence: `${sequence}`, ...(seat !== undefined && { seat }), toAct: [], scene: { pieces } } as unknown as api.Position;
}

describe("the steps between two positions", () => {
  it("put, remove and reorder pieces, each frame of others at least 0.7 s", () => {
    const [a, b, c] = [piece("a"), piece("b"), piece("c")];
    const entries = [
      moved(1, ADA, ["x"]),
      moved(2, ADA, ["y", "z"], [{ put: [{ ...a, x: 5, above: "b" }, { ...c, above: "a" }] }]),
      moved(3, BEN, ["u", "v"], [{ put: [{ ...a, x: 9 }], removed: ["c"], events: 1 }, { removed: ["a"], events: 1 }]),
      moved(4, BEN, ["w"], [{ removed: ["b"] }]),
    ];
    const steps = stepsBetween(position(1, ADA, [a, b]), position(3, ADA), entries);
    expect(steps.map(({ sequence, events, durationMs }) => [sequence, events, durationMs])).toEqual([
      [2, 1, 300],
      [2, 2, 500],
      [3, 1, 700],
      [3, 2, 700],
    ]);
    expect(steps.map(({ pieces }) => pieces.map(({ id, x }) => `${id}${x}`).join())).toEqual(["b0,a5,c0", "b0,a5,c0", "a9,b0", "b0"]);
  });

  it("last as long as pieces turn one by one", () => {
    const backs = ["a", "b", "c"].map((id) => piece(id, { symbol: "back" }));
    const put = backs.map((one, place) => ({ ...one, symbol: "mason", above: backs[place - 1]?.id ?? "" }));
    const steps = stepsBetween(position(1, ADA, backs), position(2, ADA), [moved(2, BEN, ["x", "y"], [{ put }])]);
    expect(steps.map(({ durationMs }) => durationMs)).toEqual([700 + 400, 500]);
  });

  it("leave out moves without a frame", () => {
    expect(stepsBetween(position(1, ADA), position(2, ADA), [moved(2, BEN, ["x"], [])])).toEqual([]);
  });
});

describe("moves whose frames the server has not sent", () => {
  const entries = [moved(2, BEN, ["a"], []), moved(3, BEN, ["b"])];

  it.each([true, false])("are counted, and shown through their positions (page visible: %s)", (isWanted) => {
    const state = arrive(begin(position(1, ADA), []), { position: position(3, ADA), isPast: false, entries, isWanted });
    expect(state.steps).toEqual([]);
    expect(countMissed(state, entries)).toEqual([{ seat: BEN, count: 2 }]);
    expect(positionsToRead(state, entries)).toEqual([1, 2, 3]);
  });

  it("do not hide those that follow", () => {
    const later = arrive(begin(position(2, ADA), []), { position: position(3, ADA), isPast: false, entries, isWanted: true });
    expect(later.steps.map(({ sequence }) => sequence)).toEqual([3]);
  });
});

describe("a player who comes back", () => {
  const entries = [moved(2, ADA, ["a"], []), moved(3, BEN, ["b", "c"], []), moved(4, undefined, ["d"], [])];
  const at = (sequence: number): api.Position => position(sequence, ADA, [piece(`after ${sequence}`)]);

  it("learns what others did, and sees it through the positions", () => {
    const back = begin(at(4), entries, 1);
    expect(countMissed(back, entries)).toEqual([{ seat: BEN, count: 1 }]);
    expect(seenUpTo(back)).toBe(1);
    const read = positionsToRead(back, entries);
    expect(read).toEqual([1, 2, 3, 4]);
    const { steps, missedFrom } = review(back, entries, read.map(at));
    expect(missedFrom).toBeUndefined();
    expect(steps.map(({ pieces: [first], sequence, events, seat }) => [first?.id, sequence, events, seat])).toEqual([
      ["after 2", 2, 1, ADA],
      ["after 3", 3, 1, BEN],
      ["after 3", 3, 2, BEN],
      ["after 4", 4, 1, undefined],
    ]);
    expect(steps.map(({ before }) => before.sequence)).toEqual(["1", "2", "2", "3"]);
    expect(steps[0] && seenUpTo({ ...back, missedFrom, steps })).toBe(1);
  });

  it("has missed nothing if others have not moved, or if the server has lost what was seen", () => {
    for (const seen of [undefined, 3, 4, 9]) expect(begin(at(4), entries, seen).missedFrom).toBeUndefined();
    expect(seenUpTo(begin(at(4), entries, 9))).toBe(4);
  });

  it("sees the last of many moves", () => {
    const many = Array.from({ length: 99 }, (_, place) => moved(place + 2, BEN, ["x"], []));
    const read = positionsToRead(begin(at(100), many, 1), many);
    expect([read.length, read[0], read[32]]).toEqual([33, 68, 100]);
    expect(review(begin(at(100), many, 1), many, read.map(at)).steps).toHaveLength(32);
  });
});

describe("what is shown", () => {
  const entries = [moved(1, ADA, ["a"]), moved(2, BEN, ["b1", "b2"]), moved(3, undefined, ["c"]), moved(4, CLEO, ["d"])];
  const arrival = { position: position(4, ADA), isPast: false, entries, isWanted: true };

  it("shows event by event: log, points and latest event", () => {
    let state = arrive(begin(position(1, ADA), []), arrival);
    const seen: unknown[] = [];
    for (; state.steps.length; state = advance(state)) {
      const shown = shownUpTo(state);
      const log = shownEntries(entries, shown).flatMap((entry) => ("moved" in entry ? entry.moved.events.map(({ text }) => text) : []));
      seen.push([log.join(), pendingGains(entries, shown).length, latestShown(entries, state.position, shown)?.text]);
    }
    expect(seen).toEqual([
      ["a,b1", 3, "b1"],
      ["a,b1,b2", 2, "b2"],
      ["a,b1,b2,c", 1, "c"],
      ["a,b1,b2,c,d", 0, "d"],
    ]);
    expect(shownEntries(entries, undefined)).toBe(entries);
    expect(countMissed(state, entries)).toEqual([]);
  });

  it("marks what others touched since the viewer's last move", () => {
    expect([...touchedSince(entries, position(4, ADA), undefined)].sort()).toEqual(["b1", "b2", "c", "d"]);
    expect([...touchedSince(entries, position(4, ADA), { sequence: 2, events: 1 })]).toEqual(["b1"]);
    expect([...touchedSince(entries, position(4, CLEO), undefined)]).toEqual(["d"]);
    expect([...touchedSince(entries, position(4, BEN), undefined)].sort()).toEqual(["c", "d"]);
    expect([...touchedSince(entries, position(4, SPECTATOR), undefined)].sort()).toEqual(["c", "d"]);
    expect([...touchedSince([], position(4, ADA), undefined)]).toEqual([]);
    const setUp = [moved(1, undefined, ["tile"]), moved(2, BEN, ["b"]), moved(3, undefined, ["c"])];
    expect([...touchedSince(setUp, position(3, ADA), undefined)].sort()).toEqual(["b", "c"]);
  });

  it("counts what was missed, and shows it when asked", () => {
    const unseen = arrive(begin(position(1, ADA), []), { ...arrival, isWanted: false });
    expect(unseen.steps).toEqual([]);
    expect(countMissed(unseen, entries)).toEqual([
      { seat: BEN, count: 1 },
      { seat: CLEO, count: 1 },
    ]);
    const again = review(unseen, entries);
    expect(again.steps).toHaveLength(4);
    expect(countMissed(again, entries)).toEqual([]);
    expect(countMissed(skip(again, entries), entries)).toHaveLength(2);
    const own = [...entries, moved(5, ADA, ["e"])];
    const acted = arrive(unseen, { position: position(5, ADA), isPast: false, entries: own, isWanted: true });
    expect(countMissed(acted, own)).toEqual([]);
  });

  it("shows no more than a player waits for", () => {
    const many = Array.from({ length: MAX_STEPS + 1 }, (_, place) => moved(place + 2, BEN, ["x"]));
    const state = arrive(begin(position(1, ADA), []), { ...arrival, position: position(MAX_STEPS + 2, ADA), entries: many });
    expect([state.steps.length, countMissed(state, many)]).toEqual([0, [{ seat: BEN, count: MAX_STEPS + 1 }]]);
  });

  it("is the newest position after a reset, and the earlier one while the player looks back", () => {
    const running = arrive(begin(position(1, ADA), []), arrival);
    expect(arrive(running, { ...arrival, position: position(1, ADA) }).steps).toEqual([]);
    expect(arrive(running, { ...arrival, position: position(2, ADA), isPast: true }).steps).toEqual([]);
  });
});
