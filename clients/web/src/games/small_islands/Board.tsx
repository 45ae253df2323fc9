import type { smallIslands } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { BoardProps } from "../ui.js";
import { extentOf, islandAt, latestCell } from "./cells.js";
import { Ghost } from "./Ghost.js";
import { Sheet } from "./Sheet.js";
import { Icon, nameOf } from "./symbols.js";
import { Laid } from "./Table.js";
import { SIDE, tilesOf } from "./Tile.js";
import { Display, Own, Revealed } from "./Tray.js";

type Props = BoardProps<smallIslands.Board, smallIslands.View, smallIslands.Event>;
type Cell = smallIslands.Cell;

/** The table with its tiles, growing from the middle, and beside it what lies open and what one has. */
export function SmallIslandsBoard({ board, view, events, seat, names, choice, onTouch }: Props): JSX.Element {
  const touching = { choice, onTouch };
  const [looked, setLooked] = useState<Cell>();
  const [aimed, setAimed] = useState<string>();
  const extent = extentOf(view, matchMedia("(min-width: 760px)").matches);
  const last = events[events.length - 1];
  const paid = last && "housePaid" in last ? last.housePaid.points : undefined;
  const latest = latestCell(events);
  const tile = tilesOf(board).get(view.picked ?? choice.taken.find((at) => at.startsWith("tile:"))?.slice(5) ?? "");
  const [x, y, width, height] = [extent.x, extent.y, extent.columns, extent.rows].map((cells) => cells * SIDE);
  return (
    <>
      <Sheet foot={<Island view={view} cell={looked ?? latest} />}>
        {(style) => (
          <svg
            class="picture symbols small-islands"
            style={style}
            viewBox={`${x! - 28} ${y! - 28} ${width! + 36} ${height! + 36}`}
            role="group"
            aria-label="The tiles on the table"
            onPointerOver={(event) => {
              setLooked(cellUnder(event));
              setAimed(elementUnder(event));
            }}
            onFocusIn={(event) => setAimed(elementUnder(event))}
          >
            <rect class="water" {...{ x, y, width, height }} />
            <Laid {...{ board, view, extent, latest, paid, looked, touching }} />
            <Ghost {...{ tile, seat, aimed, touching }} />
          </svg>
        )}
      </Sheet>
      <div class="tray">
        {view.phase !== "PHASE_OVER" && <Display {...{ board, view, touching }} />}
        {seat !== undefined && <Own {...{ board, view, touching, seat }} />}
        <Revealed {...{ board, view, touching, seat, names }} />
      </div>
    </>
  );
}

/** Returns the cell of the tile under the pointer. */
function cellUnder(event: PointerEvent): Cell | undefined {
  const [x, y] = (event.target as Element).closest("[data-cell]")?.getAttribute("data-cell")?.split(",").map(Number) ?? [];
  return x === undefined || y === undefined ? undefined : { x, y };
}

/** Returns the cell that can be chosen, under the pointer or in focus. */
function elementUnder({ target }: Event): string | undefined {
  return (target as Element).closest('[data-at^="cell:"]')?.getAttribute("data-at") ?? undefined;
}

/** What is on an island: what missions ask for, and rewards pay. */
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
          <span class="unseen"> {nameOf(symbol, count)}</span>
        </span>
      ))}
    </p>
  );
}
