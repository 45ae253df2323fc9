import type { smallIslands } from "skerry-client";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Selectable, type SelectionControl } from "../../selectable.js";
import { seatColour, SeatMarkAt, seatMarkPath } from "../../seatMarks.js";
import { cellAt, cellOf, type Extent, isSame, islandAt } from "./cells.js";
import { symbolName, SymbolAt } from "./symbols.js";
import { Face, Port, describeTile, SIDE, tilesOf, turned } from "./Tile.js";

type Cell = smallIslands.Cell;
type Tiles = ReadonlyMap<string, smallIslands.Tile>;

interface TableProps {
  board: smallIslands.Board;
  view: smallIslands.View;
  extent: Extent;
  /** The cell of the latest event, and the points that the event paid. */
  latest: Cell | undefined;
  paid: number | undefined;
  /** The cell under the pointer: its island is highlighted. */
  hovered: Cell | undefined;
  control: SelectionControl;
}

/** Returns the transform that moves a drawing to a cell. */
function place({ x, y }: Cell): string {
  return `translate(${x * SIDE} ${y * SIDE})`;
}

/** Everything on the table: tiles, tokens, houses, ships. */
export function TableTiles({ board, view, extent, latest, paid, hovered, control }: TableProps): JSX.Element {
  const tiles = useMemo(() => tilesOf(board), [board]);
  const faces = useMemo(() => <Faces tiles={tiles} view={view} />, [tiles, view.tiles, view.islands]);
  return (
    <>
      <Edges extent={extent} />
      {faces}
      <IslandAround view={view} cell={hovered} class="hovered-island" />
      {view.phase === "PHASE_PLACE_HOUSES" && <Fulfilling view={view} control={control} />}
      <Tokens tiles={tiles} view={view} />
      <Houses tiles={tiles} view={view} />
      <Ships view={view} />
      {latest && <rect class="latest" x={latest.x * SIDE} y={latest.y * SIDE} width={SIDE} height={SIDE} rx={4} />}
      <Free view={view} extent={extent} control={control} />
      {latest && paid !== undefined && (
        <g class="paid" transform={place(latest)}>
          <rect x={22} y={-24} width={56} height={40} rx={20} />
          <text x={50} y={6}>
            +{paid}
          </text>
        </g>
      )}
    </>
  );
}

/** The numbers of columns and rows, which the texts of moves use. */
function Edges({ extent: { x, y, columns, rows } }: { extent: Extent }): JSX.Element {
  return (
    <g class="edges" aria-hidden="true">
      {Array.from({ length: columns }, (_, column) => (
        <text key={column} x={(x + column + 0.5) * SIDE} y={y * SIDE - 6}>
          {x + column}
        </text>
      ))}
      {Array.from({ length: rows }, (_, row) => (
        <text key={row} x={x * SIDE - 14} y={(y + row + 0.5) * SIDE + 6}>
          {y + row}
        </text>
      ))}
    </g>
  );
}

function Faces({ tiles, view }: { tiles: Tiles; view: smallIslands.View }): JSX.Element {
  return (
    <>
      {view.tiles.map(({ at, tile: id, turns }) => {
        const tile = tiles.get(id);
        return (
          tile && (
            <g key={cellAt(at)} data-cell={`${at.x},${at.y}`} transform={place(at)}>
              <g class="laid">
                <title>{`(${at.x}, ${at.y}): ${describeTile(tile, symbolName)}`}</title>
                <Face tile={tile} turns={turns} />
              </g>
            </g>
          )
        );
      })}
    </>
  );
}

interface IslandProps {
  view: smallIslands.View;
  cell: Cell | undefined;
  class: string;
}

/** Highlights an island: the one under the pointer, or one where a house can be placed. */
function IslandAround({ view, cell, class: name }: IslandProps): JSX.Element {
  return (
    <g class={name}>
      {islandAt(view, cell)?.cells.map(({ x, y }) => (
        <rect key={`${x},${y}`} x={x * SIDE} y={y * SIDE} width={SIDE} height={SIDE} />
      ))}
    </g>
  );
}

/** The islands where houses can be placed. */
function Fulfilling({ view, control }: { view: smallIslands.View; control: SelectionControl }): JSX.Element {
  const cells = [...control.selection.next.keys()].filter((at) => at.startsWith("cell:")).map(cellOf);
  const islands = new Set(cells.map((cell) => islandAt(view, cell)?.cells[0]));
  return (
    <>
      {[...islands].map((cell) => (
        <IslandAround key={cell && cellAt(cell)} view={view} cell={cell} class="fulfilling" />
      ))}
    </>
  );
}

function Tokens({ tiles, view }: { tiles: Tiles; view: smallIslands.View }): JSX.Element {
  return (
    <>
      {view.tokens.map(({ at, seat, shows, place: number }, count) => {
        const under = view.tiles.find((one) => isSame(one.at, at));
        const tile = under && tiles.get(under.tile);
        const point = shows === "SYMBOL_PORT" ? tile?.portPlaces[number] : tile?.symbols[number]?.at;
        if (!under || !point) return null;
        const { x, y } = turned(point, under.turns);
        return (
          <g key={count} class="token" transform={place(at)}>
            {shows === "SYMBOL_PORT" && <Port x={x} y={y} />}
            <circle cx={x} cy={y} r={14} style={{ stroke: seatColour(seat) }} />
            <SymbolAt symbol={shows} x={x} y={y} size={17} />
            <SeatMarkAt seat={seat} x={x + 12} y={y + 11} size={13} />
          </g>
        );
      })}
    </>
  );
}

function Houses({ tiles, view }: { tiles: Tiles; view: smallIslands.View }): JSX.Element {
  const houses = view.seats.flatMap(({ seat, houses: cells }) => cells.map((at) => ({ seat, at })));
  return (
    <>
      {houses.map(({ seat, at }) => {
        const under = view.tiles.find((one) => isSame(one.at, at));
        const tile = under && tiles.get(under.tile);
        const spots = tile?.symbols.filter(({ symbol }) => symbol === "SYMBOL_HOUSE") ?? [];
        const before = houses.filter((one) => isSame(one.at, at)).findIndex((one) => one.seat === seat);
        const spot = spots[before] ?? spots[0];
        if (!under || !spot) return null;
        const { x, y } = turned(spot.at, under.turns);
        return (
          <g key={`${cellAt(at)}/${seat}`} transform={`${place(at)} translate(${x} ${y})`}>
            <g class="house-piece">
              <path style={{ fill: seatColour(seat) }} d="M-14 13V-3L0-15 14-3V13z" />
              <path class="blazon" d={seatMarkPath(seat)} transform="translate(0 3) scale(0.85)" />
            </g>
          </g>
        );
      })}
    </>
  );
}

function Ships({ view }: { view: smallIslands.View }): JSX.Element {
  return (
    <>
      {view.ships.map(({ at, seat }) => (
        <g key={cellAt(at)} class="ship-tile" transform={place(at)}>
          <title>{seat === undefined ? "A grey ship" : "A ship"}</title>
          <g class="laid">
            <rect class="sea-side" width={SIDE} height={SIDE} />
            <Ship seat={seat} />
            <rect class="frame" width={SIDE} height={SIDE} />
          </g>
        </g>
      ))}
    </>
  );
}

/** A ship in the centre of a tile, in the colour of its seat or grey. */
export function Ship({ seat }: { seat: number | undefined }): JSX.Element {
  return (
    <g transform="translate(50 52)">
      <path
        class="hull"
        style={{ fill: seat === undefined ? "#9aa3a8" : seatColour(seat) }}
        d="M-34 12H34L24 32H-24zM-3 10V-36Q28-26 26 10zM-8 6V-26Q-26-18-26 6z"
      />
      {seat !== undefined && <path class="blazon" d={seatMarkPath(seat)} transform="translate(9 -10) scale(1.1)" />}
    </g>
  );
}

/** The selectable cells. */
function Free({ view, extent, control }: { view: smallIslands.View; extent: Extent; control: SelectionControl }): JSX.Element {
  const targets = control.selection.targets.filter((at) => at.startsWith("cell:"));
  const cells = [...control.selection.next.keys(), ...targets].filter((at) => at.startsWith("cell:"));
  return (
    <>
      {cells.map((at) => {
        const { x, y } = cellOf(at);
        const isLaid = view.tiles.some((one) => isSame(one.at, { x, y }));
        if (x < extent.x - 1 || y < extent.y - 1) return null;
        return (
          <Selectable key={at} target={at} class={isLaid ? "cell on-tile" : "cell"} transform={place({ x, y })} {...control}>
            <rect x={3} y={3} width={SIDE - 6} height={SIDE - 6} rx={6} />
            {!isLaid && <path class="plus" d="M50 40V60M40 50H60" />}
          </Selectable>
        );
      })}
    </>
  );
}
