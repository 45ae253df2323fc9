import type { api } from "skerry-client";
import { describe, expect, it } from "vitest";
import { foldedPoint, foldsOf } from "../src/board/folding.js";
import type { Box, Size } from "../src/board/geometry.js";
import { layOut, type Shown, shownInHand } from "../src/board/layOut.js";
import { nearestTarget } from "../src/board/nearestTarget.js";
import { GAP, pack, scaleIn } from "../src/board/packing.js";
import { EDGE, fit, pan, reveal, TOUCH, type View, zoom } from "../src/board/panZoom.js";

function overlap(one: Box, other: Box): boolean {
  return one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;
}

/** Returns where a box of a drawing is in its pane. */
function shown({ x, y, width, height }: Box, view: View): Box {
  return { x: view.scale * x + view.x, y: view.scale * y + view.y, width: view.scale * width, height: view.scale * height };
}

function rounded({ x, y, scale }: View): number[] {
  return [x, y, 1000 * scale].map(Math.round);
}

function isInside({ x, y, width, height }: Box, pane: Size): boolean {
  return x >= -0.01 && y >= -0.01 && x + width <= pane.width + 0.01 && y + height <= pane.height + 0.01;
}

describe("pack", () => {
  it("puts rectangles beside each other in a wide pane, and below each other in a high one", () => {
    const sizes = [{ width: 100, height: 100 }, { width: 100, height: 100 }];
    expect(pack(sizes, { width: 400, height: 100 })).toMatchObject({ width: 200 + GAP, height: 100 });
    expect(pack(sizes, { width: 100, height: 400 })).toMatchObject({ width: 100, height: 200 + GAP });
  });

  it("mixes rows and columns, and lets nothing overlap", () => {
    const sizes = [{ width: 600, height: 600 }, ...Array.from({ length: 4 }, () => ({ width: 250, height: 130 }))];
    const pane = { width: 1000, height: 620 };
    const packed = pack(sizes, pane);
    expect(scaleIn(packed, pane)).toBeGreaterThan(0.98);
    for (const [place, box] of packed.boxes.entries()) {
      expect(box).toMatchObject(sizes[place]!);
      expect(isInside(box, packed)).toBe(true);
      expect(packed.boxes.filter((other) => overlap(box, other))).toEqual([box]);
    }
  });

  it("has nothing to draw without rectangles", () => {
    expect(pack([], { width: 10, height: 10 }).boxes).toEqual([]);
  });
});

describe("folding", () => {
  const cards = [0, 1, 2, 3, 4].map((place) => ({ x: 10 + 50 * place, y: 0, width: 40, height: 60 }));

  it("divides a hand into rows as narrow as possible, and keeps what lies above each other together", () => {
    const stacked = [...cards, { x: 60, y: 70, width: 40, height: 10 }];
    expect(foldsOf(stacked)).toEqual([
      { cuts: [160], left: 10, down: 88 },
      { cuts: [110, 210], left: 10, down: 88 },
      { cuts: [60, 110, 160, 210], left: 10, down: 88 },
    ]);
    expect(foldsOf(cards.slice(0, 1))).toEqual([]);
    expect(foldsOf([])).toEqual([]);
  });

  it("moves each card into its row", () => {
    const [fold] = foldsOf(cards);
    expect([30, 130, 180, 230].map((x) => foldedPoint({ x, y: 30 }, fold!))).toEqual([
      { x: 30, y: 30 },
      { x: 130, y: 30 },
      { x: 30, y: 98 },
      { x: 80, y: 98 },
    ]);
  });

  it("is chosen where it makes the hand larger", () => {
    const symbols = new Map([["card", { width: 40, height: 60 } as api.SceneSymbol]]);
    const pieces = cards.map(({ x }, place) => ({ id: `${place}`, symbol: "card", area: "hand", x: x + 20, y: 30, rotation: 0, badge: "", count: 1 }) as api.ScenePiece);
    const hand = { id: "hand", width: 300, height: 60, places: [] } as unknown as api.SceneArea;
    const rows = (pane: Size): number => {
      const { areas } = layOut({ areas: [hand], spare: [] }, (area) => shownInHand(area, { pieces, symbols, open: new Set() }, 0), pane);
      return new Set(areas[0]!.pieces.map(({ y }) => y)).size;
    };
    expect([rows({ width: 1000, height: 140 }), rows({ width: 370, height: 240 }), rows({ width: 100, height: 900 })]).toEqual([1, 2, 5]);
  });
});

describe("layOut", () => {
  const areaOf = (id: string, width: number, height: number): api.SceneArea => ({ id, width, height }) as api.SceneArea;
  const shown = (area: api.SceneArea, part: Box): Shown[] => [{ area, part, pieces: [], caption: 0 }];
  const whole = (area: api.SceneArea): Shown[] => shown(area, { x: 0, y: 0, width: area.width, height: area.height });
  const [board, seat] = [areaOf("board", 1000, 500), areaOf("seat:1", 500, 500)];

  it("shows the areas of other seats only where they leave the board its size", () => {
    const ids = (pane: Size): string => layOut({ areas: [board], spare: [seat] }, whole, pane).areas.map(({ area }) => area.id).join();
    expect(ids({ width: 1600, height: 500 })).toBe("board,seat:1");
    expect(ids({ width: 1000, height: 500 })).toBe("board");
  });

  it("keeps the first area in place when the part that it shows grows", () => {
    const part = { x: 300, y: 200, width: 400, height: 100 };
    const { areas, content } = layOut({ areas: [board], spare: [] }, (area) => shown(area, part), { width: 800, height: 800 });
    expect(areas[0]!.box).toEqual(part);
    expect(content).toEqual(part);
  });
});

describe("panning and zooming", () => {
  const content = { x: -100, y: 50, width: 1000, height: 500 };
  const pane = { width: 500, height: 400 };
  const fitted = fit(content, pane);

  it("fits the drawing into the middle of the pane", () => {
    const { x, y, width, height } = shown(content, fitted);
    expect([x, x + width].map(Math.round)).toEqual([EDGE, pane.width - EDGE]);
    expect(y + height / 2).toBeCloseTo(pane.height / 2);
  });

  it("keeps the point under the pointer in place while it zooms", () => {
    const at = { x: 250, y: 200 };
    const near = zoom(fitted, 2, at, content, pane);
    const before = { x: (at.x - fitted.x) / fitted.scale, y: (at.y - fitted.y) / fitted.scale };
    expect(near.scale).toBeCloseTo(2 * fitted.scale);
    expect(near.scale * before.x + near.x).toBeCloseTo(at.x);
    expect(near.scale * before.y + near.y).toBeCloseTo(at.y);
    expect(rounded(zoom(near, 0.01, at, content, pane))).toEqual(rounded(fitted));
  });

  it("never drags the drawing out of the pane", () => {
    const near = zoom(fitted, 3, { x: 0, y: 0 }, content, pane);
    const far = shown(content, pan(near, -9999, -9999, content, pane));
    expect([far.x + far.width, far.y + far.height].map(Math.round)).toEqual([pane.width - EDGE, pane.height - EDGE]);
    expect(rounded(pan(fitted, 50, 50, content, pane))).toEqual(rounded(fitted));
  });

  it("moves what can be selected into view, large enough for a finger", () => {
    const near = zoom(fitted, 4, { x: 0, y: 0 }, content, pane);
    const target = { x: 800, y: 480, width: 20, height: 20, side: 20 };
    const view = reveal(near, [target], pane, TOUCH);
    expect(20 * view.scale).toBeGreaterThanOrEqual(TOUCH - 0.01);
    expect(isInside(shown(target, view), pane)).toBe(true);
    const far = { ...target, x: -90 };
    const both = reveal(near, [target, far], pane, TOUCH);
    expect([target, far].map((one) => isInside(shown(one, both), pane))).toEqual([true, true]);
    expect(reveal(both, [target, far], pane, TOUCH).scale).toBeCloseTo(both.scale);
    expect(reveal(near, [], pane, TOUCH)).toBe(near);
  });
});

describe("nearestTarget", () => {
  const at = (id: string, x: number): { id: string } & Box => ({ id, x, y: 0, width: 44, height: 44 });

  it("chooses the target whose middle is nearest where touch areas overlap", () => {
    const targets = [at("left", 0), at("right", 20)];
    expect(nearestTarget({ x: 30, y: 10 }, targets)).toBe("left");
    expect(nearestTarget({ x: 34, y: 40 }, targets)).toBe("right");
    expect(nearestTarget({ x: 60, y: 10 }, targets)).toBe("right");
    expect(nearestTarget({ x: 100, y: 10 }, targets)).toBeUndefined();
  });
});
