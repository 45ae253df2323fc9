import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Selectable, type SelectionControl } from "../selectable.js";
import { hasOutline, isIn, reachOf } from "./geometry.js";
import type { Shown } from "./layOut.js";
import { Badges } from "./Badges.js";
import { PieceView } from "./PieceView.js";
import { t } from "../texts/texts.js";

/** Half the side of the touch area of a place with a printed outline, which can be touched itself. */
const OUTLINE_REACH = 30;

/** What all areas of a table need in order to be drawn. */
export interface TableDrawing {
  symbols: ReadonlyMap<string, api.SceneSymbol>;
  /** The players' names, by seat. */
  names: readonly string[];
  /** The viewer's seat. */
  seat: number | undefined;
  /** The ids that the latest events of others are about. */
  touched: ReadonlySet<string>;
  /** The ids of the event that is being shown. */
  lit: ReadonlySet<string>;
  /** What is worth knowing about places and pieces, by their ids. */
  notes: ReadonlyMap<string, string>;
  control: SelectionControl;
  /** The ids that a lesson marks. */
  taught: ReadonlySet<string>;
}

interface AreaViewProps extends Shown {
  /** The least side of a touch area, in SVG units. */
  least: number;
  table: TableDrawing;
  /** What is drawn above the pieces. */
  overlay?: JSX.Element | undefined;
}

/** An area of the table: what is printed, and what lies on it. */
export function AreaView({ area, part, pieces, fold, least, table, overlay }: AreaViewProps): JSX.Element {
  const { touched, control } = table;
  const reach = useMemo(() => reachOf(area.places), [area]);
  const open = openTargets(control);
  const ids = new Set(pieces.map(({ id }) => id));
  const covered = new Set(pieces.map(({ place }) => place));
  const places = inLayers(
    area.places.filter((place) => open.has(place.id) || isIn(part, place)),
    ({ id }) => (open.has(id) ? 2 : Number(touched.has(id))),
  );
  return (
    <svg
      class="picture"
      data-area={area.id}
      data-fold={fold && JSON.stringify(fold)}
      viewBox={`${part.x} ${part.y} ${part.width} ${part.height}`}
      width={part.width}
      height={part.height}
      role="group"
      aria-label={labelOf(area, table)}
    >
      <Printed drawing={area.ground} />
      {places.map((place) => (
        <PlaceView key={place.id} place={place} isInert={ids.has(place.id)} isCovered={covered.has(place.id)} {...{ reach, least, table }} />
      ))}
      <Printed drawing={area.printOver} />
      {pieces.map((piece) => (
        <PieceView key={piece.id} piece={piece} isPassive={!open.has(piece.id) && open.has(piece.place)} {...{ least, table }} />
      ))}
      <Badges {...{ places, pieces, symbols: table.symbols }} />
      {overlay}
    </svg>
  );
}

/**
 * Returns places in the order in which they are drawn. Among places of a kind, those of a higher rank come later: so their
 * outlines are whole. They do not cover places of the next kind, such as the fort spaces between provinces.
 */
function inLayers(places: readonly api.ScenePlace[], rank: (place: api.ScenePlace) => number): api.ScenePlace[] {
  const kinds = new Map<string, api.ScenePlace[]>();
  for (const place of places) {
    const [kind = ""] = place.id.split(":", 1);
    kinds.set(kind, [...(kinds.get(kind) ?? []), place]);
  }
  return [...kinds.values()].flatMap((alike) => alike.sort((one, other) => rank(one) - rank(other)));
}

/** Returns the ids that can be selected or are selected. */
export function openTargets({ selection: { next, targets } }: SelectionControl): ReadonlySet<string> {
  return new Set([...next.keys(), ...targets]);
}

function labelOf({ label, seat }: api.SceneArea, { names, seat: own }: TableDrawing): string {
  if (seat === undefined) return label;
  return t("board-area", { label, owner: seat === own ? t("board-yours") : (names[seat] ?? "") });
}

/** A drawing of the server, without text of players. */
function Printed({ drawing }: { drawing: string }): JSX.Element {
  return useMemo(() => <g class="printed" dangerouslySetInnerHTML={{ __html: drawing }} />, [drawing]);
}

interface PlaceViewProps {
  place: api.ScenePlace;
  /** Half the side of its touch area, where neighbours leave it that room. */
  reach: number;
  /** The least side of its touch area. */
  least: number;
  /** Whether a piece with the same id stands for it. */
  isInert: boolean;
  /** Whether pieces lie there. */
  isCovered: boolean;
  table: TableDrawing;
}

function PlaceView({ place, reach, least, isInert, isCovered, table: { touched, lit, notes, control, taught } }: PlaceViewProps): JSX.Element {
  const { id, label, x, y, drawing } = place;
  const isOutlined = hasOutline(place);
  const natural = 2 * (isOutlined ? Math.min(OUTLINE_REACH, reach) : reach);
  const side = control.selection.next.has(id) ? Math.max(natural, least) : natural;
  const isMarked = touched.has(id) && (isOutlined || !isCovered); // without an outline, the pieces are marked instead
  const state = ["place", !isOutlined && "bare", isMarked && "touched", lit.has(id) && "lit", taught.has(id) && "taught"].filter(Boolean).join(" ");
  return (
    <Selectable target={id} class={state} label={label} note={notes.get(id)} {...{ isInert, control }}>
      <rect class="reach" x={x - side / 2} y={y - side / 2} width={side} height={side} rx={isOutlined ? side / 2 : 6} data-side={natural} />
      {drawing && <Printed drawing={drawing} />}
    </Selectable>
  );
}
