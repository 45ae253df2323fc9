import type { smallIslands } from "skerry-client";
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { BoardProps } from "../ui.js";
import { extentOf, islandAt, latestCell } from "./cells.js";
import { Ghost } from "./Ghost.js";
import { Icon, nameOf } from "./symbols.js";
import { Laid } from "./Table.js";
import { SIDE, tilesOf } from "./Tile.js";
import { Display, Own, Revealed } from "./Tray.js";

type Props = BoardProps<smallIslands.Board, smallIslands.View, smallIslands.Event>;
type Cell = smallIslands.Cell;

/** How much larger than the sheet the table can be. */
const ZOOMS = [1, 1.5, 2.2, 3.2];

/** The table with its tiles, growing from the middle, and beside it what lies open and what one has. */
export function SmallIslandsBoard({ board, view, events, seat, names, choice, onTouch }: Props): JSX.Element {
  const touching = { choice, onTouch };
  const [zoom, setZoom] = useState(0);
  const [looked, setLooked] = useState<Cell>();
  const [aimed, setAimed] = useState<string>();
  const sheet = useRef<HTMLDivElement>(null);
  const extent = extentOf(view, matchMedia("(min-width: 760px)").matches);
  const last = events[events.length - 1];
  const paid = last && "housePaid" in last ? last.housePaid.points : undefined;
  const latest = latestCell(events);
  const tile = tilesOf(board).get(view.picked ?? choice.taken.find((at) => at.startsWith("tile:"))?.slice(5) ?? "");
  const box = `${extent.x * SIDE - 28} ${extent.y * SIDE - 28} ${extent.columns * SIDE + 36} ${extent.rows * SIDE + 36}`;
  const size = ZOOMS[zoom] ?? 1;
  return (
    <>
      <div class="sheet archipelago" ref={sheet} onPointerDown={drag}>
        <svg
          class="picture symbols small-islands"
          style={{ width: `${size * 100}%`, maxHeight: size > 1 ? "none" : undefined }}
          viewBox={box}
          role="group"
          aria-label="The table"
          onPointerOver={(event) => {
            setLooked(cellUnder(event));
            setAimed(elementUnder(event));
          }}
          onFocusIn={(event) => setAimed(elementUnder(event))}
        >
          <rect class="water" x={extent.x * SIDE} y={extent.y * SIDE} width={extent.columns * SIDE} height={extent.rows * SIDE} />
          <Laid {...{ board, view, extent, latest, paid, looked, touching }} />
          <Ghost {...{ tile, seat, aimed, touching }} />
        </svg>
      </div>
      <div class="sheet-foot">
        <Island view={view} cell={looked ?? latest} />
        <span class="zoom">
          <button class="button" aria-label="Smaller" disabled={zoom === 0} onClick={() => setZoom(zoom - 1)}>
            −
          </button>
          <button class="button" aria-label="Larger" disabled={zoom === ZOOMS.length - 1} onClick={() => setZoom(zoom + 1)}>
            +
          </button>
        </span>
      </div>
      <div class="tray">
        <Display {...{ board, view, touching }} />
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

/** Lets a mouse drag a table that is larger than its sheet; fingers do so by themselves. */
function drag(event: PointerEvent): void {
  const sheet = event.currentTarget as HTMLElement;
  if (event.pointerType !== "mouse" || event.button) return;
  const move = ({ movementX, movementY }: PointerEvent): void => sheet.scrollBy(-movementX, -movementY);
  const end = (): void => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
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
