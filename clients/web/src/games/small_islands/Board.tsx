import type { smallIslands } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { BoardProps } from "../ui.js";
import { extentOf, islandAt, latestCell } from "./cells.js";
import { PlacementPreview } from "./PlacementPreview.js";
import { ZoomPane } from "./ZoomPane.js";
import { Icon, symbolName } from "./symbols.js";
import { TableTiles } from "./LaidTiles.js";
import { SIDE, tilesOf } from "./Tile.js";
import { Display, OwnPieces, Revealed } from "./PlayerArea.js";

type Props = BoardProps<smallIslands.Board, smallIslands.View, smallIslands.Event>;
type Cell = smallIslands.Cell;

/** The table with its tiles, the open tiles, and the viewer's own tiles, cards and tokens. */
export function SmallIslandsBoard({ board, view, events, seat, names, selection, onSelect }: Props): JSX.Element {
  const control = { selection, onSelect };
  const [hovered, setHovered] = useState<Cell>();
  const [aimed, setAimed] = useState<string>();
  const extent = extentOf(view, matchMedia("(min-width: 760px)").matches);
  const last = events[events.length - 1];
  const paid = last && "housePaid" in last ? last.housePaid.points : undefined;
  const latest = latestCell(events);
  const tile = tilesOf(board).get(view.picked ?? selection.targets.find((at) => at.startsWith("tile:"))?.slice(5) ?? "");
  const [x, y, width, height] = [extent.x, extent.y, extent.columns, extent.rows].map((cells) => cells * SIDE);
  return (
    <>
      <ZoomPane foot={<Island view={view} cell={hovered ?? latest} />}>
        {(style) => (
          <svg
            class="picture symbols small-islands"
            style={style}
            viewBox={`${x! - 28} ${y! - 28} ${width! + 36} ${height! + 36}`}
            role="group"
            aria-label="The tiles on the table"
            onPointerOver={(event) => {
              setHovered(cellUnder(event));
              setAimed(elementUnder(event));
            }}
            onFocusIn={(event) => setAimed(elementUnder(event))}
          >
            <rect class="water" {...{ x, y, width, height }} />
            <TableTiles {...{ board, view, extent, latest, paid, hovered, control }} />
            <PlacementPreview {...{ tile, seat, aimed, control }} />
          </svg>
        )}
      </ZoomPane>
      <div class="tray">
        {view.phase !== "PHASE_OVER" && <Display {...{ board, view, control }} />}
        {seat !== undefined && <OwnPieces {...{ board, view, control, seat }} />}
        <Revealed {...{ board, view, control, seat, names }} />
      </div>
    </>
  );
}

/** Returns the cell of the tile under the pointer. */
function cellUnder(event: PointerEvent): Cell | undefined {
  const [x, y] = (event.target as Element).closest("[data-cell]")?.getAttribute("data-cell")?.split(",").map(Number) ?? [];
  return x === undefined || y === undefined ? undefined : { x, y };
}

/** Returns the selectable cell under the pointer or with the focus. */
function elementUnder({ target }: Event): string | undefined {
  return (target as Element).closest('[data-target^="cell:"]')?.getAttribute("data-target") ?? undefined;
}

/** The symbols on an island, which missions and rewards count. */
function Island({ view, cell }: { view: smallIslands.View; cell: Cell | undefined }): JSX.Element {
  const island = islandAt(view, cell);
  if (!island) return <p class="soft small">Point at a tile to see what is on its island.</p>;
  return (
    <p class="island">
      <strong>
        Island of {island.cells.length} {island.cells.length === 1 ? "tile" : "tiles"}
      </strong>
      {island.symbols.map(({ symbol, count }) => (
        <span key={symbol} class="figures">
          <Icon symbol={symbol} size={18} /> {count}
          <span class="visually-hidden"> {symbolName(symbol, count)}</span>
        </span>
      ))}
    </p>
  );
}
