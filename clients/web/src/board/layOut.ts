import type { api } from "skerry-client";
import { type Fold, foldedArea, foldsOf } from "./folding.js";
import { type Box, MAX_REACH, partAround, type Size } from "./geometry.js";
import { pack, scaleIn } from "./packing.js";

/** The height of the caption above an area, in units of the drawing. */
export const CAPTION = 30;
/** The least share of its scale that a board keeps when the areas of other seats lie beside it. */
const ROOM = 0.92;
/** The scale above which a board is large enough, so that its areas may take room from it. */
const LARGE = 1;
/** The area of the pieces of a hand above which it is large, in square units. */
const LARGE_HAND = 85_000;
/** The room around what lies in a hand, in units of its area. */
const HAND_MARGIN = 6;
/** The width of a character of a badge, and the space before it, in units of an area. */
const [LETTER, BEFORE_BADGE] = [7, 4];

/** A way to show an area. */
export interface Shown {
  area: api.SceneArea;
  /** The pieces that lie in the area, from below to above. */
  pieces: readonly api.ScenePiece[];
  /** The part of the area that is shown, in its coordinates. */
  part: Box;
  /** The height of the caption above it. */
  caption: number;
  /** How the area and its pieces have been folded. Absent: they are as the server describes them. */
  fold?: Fold;
}

/** An area, and where it lies in the drawing with its caption. */
export interface LaidArea extends Shown {
  box: Box;
}

/** The areas of a pane in one drawing. */
export interface Layout {
  areas: readonly LaidArea[];
  /** The part of the drawing with areas. The first area has the coordinates of the drawing, so the rest grows around it. */
  content: Box;
}

export interface PaneAreas {
  /** The areas that are always shown. */
  areas: readonly api.SceneArea[];
  /** Those that are shown where there is room. */
  spare: readonly api.SceneArea[];
}

/** Puts areas into one drawing that is as large as possible in a pane. `waysOf` returns the ways to show an area. */
export function layOut({ areas, spare }: PaneAreas, waysOf: (area: api.SceneArea) => readonly Shown[], pane: Size): Layout {
  const alone = largest(areas.map(waysOf), pane);
  if (!spare.length) return alone;
  const all = largest([...areas, ...spare].map(waysOf), pane);
  return scaleIn(all.content, pane) >= ROOM * Math.min(LARGE, scaleIn(alone.content, pane)) ? all : alone;
}

/** Returns the largest layout, of all combinations of the ways to show the areas. */
function largest(ways: readonly (readonly Shown[])[], pane: Size): Layout {
  const combined = ways.reduce<Shown[][]>((before, each) => before.flatMap((those) => each.map((one) => [...those, one])), [[]]);
  const layouts = combined.map((shown) => arrange(shown, pane));
  return layouts.reduce((best, one) => (scaleIn(one.content, pane) > scaleIn(best.content, pane) ? one : best));
}

function arrange(shown: readonly Shown[], pane: Size): Layout {
  const packed = pack(shown.map(({ part, caption }) => ({ width: part.width, height: part.height + caption })), pane);
  const origin = { x: (shown[0]?.part.x ?? 0) - (packed.boxes[0]?.x ?? 0), y: (shown[0]?.part.y ?? 0) - (packed.boxes[0]?.y ?? 0) };
  const laid = shown.map((one, place) => {
    const { x, y, width, height } = packed.boxes[place]!;
    return { ...one, box: { x: x + origin.x, y: y + origin.y, width, height } };
  });
  return { areas: laid, content: { ...origin, width: packed.width, height: packed.height } };
}

interface Lying {
  /** All pieces of the table. */
  pieces: readonly api.ScenePiece[];
  symbols: ReadonlyMap<string, api.SceneSymbol>;
  /** The ids that can be selected. */
  open: ReadonlySet<string>;
}

/** Returns the way to show an area of a board: the whole area, or if it has a margin, what lies and can be selected in it. */
export function shownOnBoard(area: api.SceneArea, { pieces, ...lying }: Lying): Shown {
  const own = pieces.filter((piece) => piece.area === area.id);
  const part = area.margin === undefined ? { x: 0, y: 0, width: area.width, height: area.height } : partShown(area, { pieces: own, ...lying }, area.margin);
  return { area, pieces: own, part, caption: area.seat === undefined ? 0 : CAPTION };
}

/** Returns the ways to show an area of a hand: what lies in it, in one row and folded into several. */
export function shownInHand(area: api.SceneArea, { pieces, ...lying }: Lying, caption: number): Shown[] {
  const own = pieces.filter((piece) => piece.area === area.id);
  const margin = area.margin ?? HAND_MARGIN;
  const folded = foldsOf(own.map((piece) => boxOf(piece, lying.symbols))).map((fold) => ({ ...foldedArea(area, own, fold), fold }));
  return [{ area, pieces: own }, ...folded].map((one) => ({ ...one, part: partShown(one.area, { ...lying, pieces: one.pieces }, margin), caption }));
}

/** Whether the pieces of a hand need more room than usual: so many cards that they would be small. */
export function isLarge({ areas }: PaneAreas, { pieces, symbols }: Pick<Lying, "pieces" | "symbols">): boolean {
  const held = pieces.filter((piece) => areas.some(({ id }) => id === piece.area)).map((piece) => boxOf(piece, symbols));
  return held.reduce((sum, { width, height }) => sum + width * height, 0) > LARGE_HAND;
}

/** Returns the part of an area around its pieces and the places that can be selected. */
function partShown(area: api.SceneArea, { pieces, symbols, open }: Lying, margin: number): Box {
  const lit = area.places.filter(({ id }) => open.has(id)).map(({ x, y }) => around(x, y, 2 * MAX_REACH, 2 * MAX_REACH, 2));
  const lying = pieces.map((piece) => {
    const { x, y, width, height } = boxOf(piece, symbols);
    return { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin };
  });
  return partAround(area, [...lying, ...lit]);
}

/** Returns the box of a piece in its area, with its badge. */
function boxOf({ x, y, symbol, rotation, badge, count }: api.ScenePiece, symbols: ReadonlyMap<string, api.SceneSymbol>): Box {
  const { width = 0, height = 0 } = symbols.get(symbol) ?? {};
  const side = rotation ? Math.max(width, height) : undefined;
  const box = around(x, y, side ?? width, side ?? height, 0);
  const letters = badge.length || (count > 1 ? `× ${count}`.length : 0);
  return letters ? { ...box, width: box.width + BEFORE_BADGE + LETTER * letters } : box;
}

function around(x: number, y: number, width: number, height: number, margin: number): Box {
  return { x: x - width / 2 - margin, y: y - height / 2 - margin, width: width + 2 * margin, height: height + 2 * margin };
}
