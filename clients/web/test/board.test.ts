import type { api } from "skerry-client";
import { describe, expect, it } from "vitest";
import { badgesNow } from "../src/board/Badges.js";
import { areasByRole } from "../src/board/areaRoles.js";
import { partAround, reachOf } from "../src/board/geometry.js";
import { journeysOf, turnsOf } from "../src/board/journeys.js";
import { filled, labelsOf } from "../src/board/words.js";
import { movePaths, type MovePath, select, selectTarget } from "../src/selection.js";
import { stepsBetween } from "../src/table/playback.js";
import { client, GAMES, play } from "./games.js";

function pieceOf(given: Partial<api.ScenePiece>): api.ScenePiece {
  const still = { rotation: 0, label: "", badge: "", faded: false, above: "", place: "" };
  return { id: "ship:1", symbol: "ship", area: "board", x: 0, y: 0, count: 1, ...still, ...given };
}

function areaOf(id: string, width: number, seat?: number): api.SceneArea {
  const role = seat === undefined ? "AREA_ROLE_BOARD" : "AREA_ROLE_SEAT";
  return { id, label: id, width, height: 100, ground: "", printOver: "", places: [], role, ...(seat !== undefined && { seat }) };
}

function placeOf(id: string, x: number, y: number): api.ScenePlace {
  return { id, label: id, x, y, drawing: "", badgeY: y };
}

describe("journeysOf", () => {
  it("moves a piece that keeps its id, and leaves the others alone", () => {
    const [moved, turned, kept] = [pieceOf({ id: "a" }), pieceOf({ id: "b" }), pieceOf({ id: "c" })];
    const after = [{ ...moved, x: 5 }, { ...turned, rotation: 90 }, { ...kept, label: "other" }];
    expect(journeysOf([moved, turned, kept], after)).toEqual([
      { piece: after[0], from: moved },
      { piece: after[1], from: turned },
    ]);
  });

  it("pairs a new piece with the nearest piece that looks the same and is gone", () => {
    const far = pieceOf({ id: "far", x: 100, owner: 1 });
    const near = pieceOf({ id: "near", x: 30, owner: 1 });
    const foreign = pieceOf({ id: "foreign", owner: 0 });
    const elsewhere = pieceOf({ id: "elsewhere", area: "seat:1", owner: 1 });
    const piece = pieceOf({ id: "new", owner: 1 });
    expect(journeysOf([far, near, foreign, elsewhere], [piece])).toEqual([{ piece, from: near }]);
    expect(journeysOf([foreign], [piece])).toEqual([{ piece, from: undefined }]);
  });

  it("takes pieces from a stack that becomes smaller, and no more than have left it", () => {
    const stack = pieceOf({ id: "supply", count: 3 });
    const after = [{ ...stack, count: 2 }, pieceOf({ id: "one" }), pieceOf({ id: "two" })];
    expect(journeysOf([stack], after).map(({ from }) => from)).toEqual([stack, undefined]);
  });
});

describe("turnsOf", () => {
  const backs = Array.from({ length: 12 }, (_, place) => pieceOf({ id: `card:${place}`, symbol: "back", x: place }));
  const delays = (count: number): number[] => {
    const after = backs.map((piece, place) => (place < count ? { ...piece, symbol: "mason" } : piece));
    return turnsOf(backs, after).map(({ delay }) => Math.round(delay));
  };

  it("turns pieces that show another side one after the other, all within 1.2 s", () => {
    expect([delays(0), delays(1), delays(3)]).toEqual([[], [0], [0, 200, 400]]);
    expect([delays(6), delays(11)].map((all) => all.at(-1))).toEqual([1000, 1000]);
  });

  it("turns no piece that is somewhere else now", () => {
    expect(turnsOf([backs[0]!], [{ ...backs[0]!, symbol: "mason", x: 5 }])).toEqual([]);
  });
});

describe("the layout", () => {
  it("docks what the viewer holds, and shows what lies before other seats when it is opened or lit", () => {
    const areas = [areaOf("map", 1000), areaOf("a", 490, 0), areaOf("b", 490, 1), areaOf("c", 490, 2)];
    const pieces = areas.map(({ id }) => pieceOf({ id: `on-${id}`, area: id }));
    const lit = movePaths([{ text: "take it", choice: { heading: "", confirm: false, paths: [{ ids: ["on-a"] }] } } as unknown as api.Move], new Map());
    const ids = (own?: number, opened?: number, paths: readonly MovePath[] = [], isOver = false): string[] => {
      const control = { selection: select(paths, []), onSelect: () => undefined };
      const { board, hand } = areasByRole(areas, { own, opened, isOver, control, pieces });
      return [board.areas, board.spare, hand.areas].map((part) => part.map(({ id }) => id).join());
    };
    expect(ids(1)).toEqual(["map", "c,a", "b"]);
    expect(ids(1, 2)).toEqual(["map,c", "a", "b"]);
    expect(ids(1, undefined, lit)).toEqual(["map,a", "c", "b"]);
    expect(ids()).toEqual(["map", "a,b,c", ""]);
    expect(ids(1, undefined, [], true)).toEqual(["map", "b,c,a", ""]);
  });

  it("shows the part around what lies there", () => {
    const area = areaOf("table", 1000);
    expect(partAround(area, [])).toEqual({ x: 0, y: 0, width: 1000, height: 100 });
    expect(partAround(area, [{ x: 280, y: 30, width: 40, height: 40 }, { x: 380, y: 70, width: 40, height: 40 }])).toEqual({ x: 280, y: 30, width: 140, height: 70 });
  });

  it("gives the places of a grid touch areas that do not overlap", () => {
    const grid = [0, 1, 2].flatMap((x) => [0, 1, 2].map((y) => placeOf(`${x},${y}`, 60 * x, 60 * y)));
    expect(reachOf([...grid, placeOf("middle", 65, 62)])).toBe(28);
    expect(reachOf([placeOf("alone", 0, 0)])).toBe(48);
  });
});

describe("filled", () => {
  it("inserts names as text, whatever they contain", () => {
    const names = ["<b>{1}</b>", "Ben"];
    expect(filled({ text: "", template: "{0} leads {1}, {2} not" }, names)).toBe("<b>{1}</b> leads Ben, {2} not");
    expect(filled({ text: "nobody {0}" }, names)).toBe("nobody {0}");
  });
});

describe.each(GAMES)("%s", (game) => {
  it("has symbols and areas for all pieces, and a path to every legal move", async () => {
    const table = await client.create<string>(game, { seats: 2, bots: 1 });
    const seat = await table.join("Ada");
    const symbols = new Map((await client.game(game)).symbols.map((symbol) => [symbol.id, symbol]));
    const areas = (await seat.read({ view: "scene" })).position!.scene!.areas;
    const turns = await play(seat, ({ legalMoves, scene }) => {
      for (const { symbol, area } of scene!.pieces) expect([symbols.has(symbol), areas.some(({ id }) => id === area)]).toEqual([true, true]);
      const paths = movePaths(legalMoves, labelsOf(areas, scene!.pieces, symbols));
      for (const move of legalMoves) expect(led(paths, move), move.text).toBe(move);
    });
    expect(turns).toBeGreaterThan(10);
  });

  it("shows frames that lead to the position", async () => {
    const table = await client.create<string>(game, { seats: 3, bots: 2 });
    const seat = await table.join("Ada");
    const over = play(seat);
    let known: api.Position | undefined;
    let entries: api.Entry[] = [];
    let count = 0;
    for await (const update of seat.observe({ afterSequence: 0, view: "scene" })) {
      entries = [...entries, ...update.entries];
      if (known && update.position) {
        const steps = stepsBetween(known, update.position, entries);
        count += steps.length;
        const last = steps[steps.length - 1];
        const { sequence } = update.position;
        if (last) expect(last.pieces).toEqual((await seat.read({ view: "scene", sequence })).position!.scene!.pieces);
      }
      known = update.position ?? known;
    }
    await over;
    expect(count).toBeGreaterThan(20);
  });
});

describe("badgesNow", () => {
  it("shows the badges of the piece that is pointed at, and of no piece otherwise", () => {
    const annotations = [
      { id: "home:0", text: "Four.", badge: "4" },
      { id: "home:1", text: "No badge.", badge: "" },
      { id: "home:0", text: "One.", badge: "1", of: "hand:0:a" },
    ];
    expect([...badgesNow(annotations)]).toEqual([["home:0", "4"]]);
    expect([...badgesNow(annotations, "hand:0:a")]).toEqual([["home:0", "1"]]);
  });
});

/** Selects the steps of a move's first path. Returns the move that they complete. */
function led(paths: readonly MovePath[], wanted: api.Move): api.Move | undefined {
  const steps = paths.find(({ move }) => move === wanted)?.steps ?? [];
  let selection = select(paths, []);
  for (const { target } of steps) {
    if (!selection.targets.includes(target)) selection = selectTarget(paths, selection.targets, target);
  }
  return selection.move;
}
