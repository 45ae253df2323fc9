import type { api } from "skerry-client";
import { type Box, MAX_REACH, partAround } from "./geometry.js";
import { pack, scaleIn } from "./packing.js";
import type { Size } from "./geometry.js";

/** The height of the caption above the area of a seat, in units of the drawing. */
export const CAPTION = 30;
/** The least share of its scale that a board keeps when the areas of other seats lie beside it. */
const ROOM = 0.92;
/** The scale above which a board is large enough, so that its areas may take room from it. */
const LARGE = 1;

/** An area, the part of it that is shown, and where that part lies in the drawing. */
export interface LaidArea {
  area: api.SceneArea;
  /** The part, in the coordinates of the area. */
  part: Box;
  /** Where it lies, with its caption. */
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

/** Puts areas into one drawing that is as large as possible in a pane. `partOf` returns the part of an area to show. */
export function layOut({ areas, spare }: PaneAreas, partOf: (area: api.SceneArea) => Box, pane: Size): Layout {
  const alone = arrange(areas, partOf, pane);
  if (!spare.length) return alone;
  const all = arrange([...areas, ...spare], partOf, pane);
  return scaleIn(all.content, pane) >= ROOM * Math.min(LARGE, scaleIn(alone.content, pane)) ? all : alone;
}

function arrange(areas: readonly api.SceneArea[], partOf: (area: api.SceneArea) => Box, pane: Size): Layout {
  const parts = areas.map(partOf);
  const packed = pack(parts.map(({ width, height }, place) => ({ width, height: height + captionOf(areas[place]!) })), pane);
  const origin = { x: (parts[0]?.x ?? 0) - (packed.boxes[0]?.x ?? 0), y: (parts[0]?.y ?? 0) - (packed.boxes[0]?.y ?? 0) };
  const laid = areas.map((area, place) => {
    const { x, y, width, height } = packed.boxes[place]!;
    return { area, part: parts[place]!, box: { x: x + origin.x, y: y + origin.y, width, height } };
  });
  return { areas: laid, content: { ...origin, width: packed.width, height: packed.height } };
}

/** Returns the height of the caption of an area. The areas of seats have one. */
export function captionOf({ seat }: api.SceneArea): number {
  return seat === undefined ? 0 : CAPTION;
}

interface Lying {
  pieces: readonly api.ScenePiece[];
  symbols: ReadonlyMap<string, api.SceneSymbol>;
  /** The ids that can be selected. */
  open: ReadonlySet<string>;
  /** Whether to show only what lies there, of every area. */
  isCropped: boolean;
}

/** Returns the part of an area to show: the whole area, or what lies in it and can be selected in it. */
export function partShown(area: api.SceneArea, { pieces, symbols, open, isCropped }: Lying): Box {
  const margin = area.margin ?? (isCropped ? 6 : undefined);
  if (margin === undefined) return { x: 0, y: 0, width: area.width, height: area.height };
  const lying = pieces.filter((piece) => piece.area === area.id);
  const places = area.places.filter(({ id }) => open.has(id));
  const extents = lying.map(({ x, y, symbol }) => {
    const { width = 0, height = 0 } = symbols.get(symbol) ?? {};
    return { x, y, far: Math.max(width, height) / 2 + margin };
  });
  return partAround(area, [...extents, ...places.map(({ x, y }) => ({ x, y, far: MAX_REACH + 2 }))]);
}
