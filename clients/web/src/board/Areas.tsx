import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { extrasOf } from "../games/extras.js";
import { PlayerName } from "../text.js";
import { AreaView, type TableDrawing } from "./AreaView.js";
import { ZoomPane } from "./ZoomPane.js";

interface AreasProps {
  /** The id of the game. */
  game: string;
  /** All areas and pieces of the table. */
  areas: readonly api.SceneArea[];
  pieces: readonly api.ScenePiece[];
  table: TableDrawing;
  /** Which areas to show: those near the moves, or the others. */
  part: "near" | "others";
}

/** Areas of the table, beside each other where they fit. */
export function Areas({ game, areas, pieces, table, part }: AreasProps): JSX.Element {
  const across = widthOf(areas);
  const shown = divided(areas, table.seat, matchMedia("(min-width: 64em)").matches)[part];
  const [aimed, setAimed] = useState<string>();
  const aim = ({ target }: Event): void => setAimed((target as Element).closest("[data-id]")?.getAttribute("data-id") ?? undefined);
  const preview = extrasOf(game)?.preview;
  return (
    <div class="areas" {...(preview && { onPointerOver: aim, onFocusIn: aim })}>
      {shown.map((area) => (
        <Framed key={area.id} area={area} across={across} table={table}>
          <AreaView
            {...{ area, table }}
            pieces={pieces.filter((piece) => piece.area === area.id)}
            overlay={preview?.area === area.id ? <preview.Preview places={area.places} control={table.control} {...{ pieces, aimed }} /> : undefined}
          />
        </Framed>
      ))}
    </div>
  );
}

interface FramedProps {
  area: api.SceneArea;
  /** The width of the table, in SVG units. */
  across: number;
  table: TableDrawing;
  children: JSX.Element;
}

/** The frame of an area, which scrolls on a narrow screen. The area of a seat has the name of its player above it. */
function Framed({ area: { label, seat, width, margin }, across, table, children }: FramedProps): JSX.Element {
  const scrolled = `${label}, scrollable`;
  return (
    <figure class="area" style={{ "--share": `${Math.min(1, width / across)}`, "--width": `${width}` }}>
      {seat !== undefined && (
        <figcaption>
          <PlayerName seat={seat} name={table.names[seat] ?? ""} />
          {seat === table.seat && <span class="soft small"> you</span>}
        </figcaption>
      )}
      {margin === undefined ? (
        <div class="sheet" tabIndex={0} role="group" aria-label={scrolled}>
          {children}
        </div>
      ) : (
        <ZoomPane label={scrolled}>{children}</ZoomPane>
      )}
    </figure>
  );
}

/** Returns the width of the table: that of its widest area, of those that are shown as a whole. */
function widthOf(areas: readonly api.SceneArea[]): number {
  return Math.max(1, ...areas.filter(({ margin }) => margin === undefined).map(({ width }) => width));
}

/**
 * Divides the areas. Near the moves are those of the table and of the viewer, and on a wide screen those of other seats that
 * fit beside the viewer's. Seats are in the order in which they play, from the viewer's.
 */
export function divided(areas: readonly api.SceneArea[], own: number | undefined, isWide: boolean): Record<AreasProps["part"], readonly api.SceneArea[]> {
  const seats = areas.filter(({ seat }) => seat !== undefined);
  const begin = seats.findIndex(({ seat }) => seat === own);
  const ordered = [...seats.slice(Math.max(0, begin)), ...seats.slice(0, Math.max(0, begin))];
  const fitting = isWide && ordered[0] ? Math.max(1, Math.floor(widthOf(areas) / ordered[0].width)) : 1;
  const count = begin < 0 ? 0 : fitting;
  return { near: [...areas.filter(({ seat }) => seat === undefined), ...ordered.slice(0, count)], others: ordered.slice(count) };
}
