import type { smallIslands } from "skerry-client";
import type { JSX } from "preact";
import { SymbolAt } from "./symbols.js";

type Point = smallIslands.Point;

/** The side of a tile, in SVG units. */
export const SIDE = 100;

/** Returns the tiles of a board by id, including both sides of the starting tiles. */
export function tilesOf(board: smallIslands.Board): ReadonlyMap<string, smallIslands.Tile> {
  return new Map([...board.landscapeTiles, ...board.startTiles, board.shipTile].map((tile) => [tile.id, tile]));
}

/** Returns a point of a tile after quarter turns clockwise. */
export function turned({ x, y }: Point, turns: number): Point {
  return turns % 4 ? turned({ x: SIDE - y, y: x }, (turns % 4) - 1) : { x, y };
}

/** Whether a line of the land's outline is the edge of the tile, where the land continues. */
function isEdge(a: Point, b: Point): boolean {
  return (a.x === b.x && a.x % SIDE === 0) || (a.y === b.y && a.y % SIDE === 0);
}

/** Returns the shores of a tile as an SVG path. */
function shores(land: readonly Point[]): string {
  const lines = land.map((from, place) => [from, land[(place + 1) % land.length]!] as const);
  return lines
    .filter(([from, to]) => !isEdge(from, to))
    .map(([from, to]) => `M${from.x} ${from.y}L${to.x} ${to.y}`)
    .join("");
}

/** The face of a tile, turned. Its symbols stay upright. */
export function Face({ tile, turns }: { tile: smallIslands.Tile; turns: number }): JSX.Element {
  const middle = SIDE / 2;
  return (
    <>
      <g transform={`rotate(${turns * 90} ${middle} ${middle})`}>
        <rect class="sea-side" width={SIDE} height={SIDE} />
        {tile.land.length > 0 && <path class="land" d={`M${tile.land.map(({ x, y }) => `${x} ${y}`).join("L")}z`} />}
        <path class="shore" d={shores(tile.land)} />
      </g>
      {tile.symbols.map(({ symbol, at }, place) => (
        <SymbolAt key={place} symbol={symbol} {...turned(at, turns)} size={symbol === "SYMBOL_HOUSE" ? 24 : 22} />
      ))}
      {tile.portPlaces.slice(0, tile.ports).map((at) => (
        <Port key={at.x} {...turned(at, turns)} />
      ))}
      <rect class="frame" width={SIDE} height={SIDE} />
    </>
  );
}

/** A port on the shore. */
export function Port({ x, y }: Point): JSX.Element {
  return (
    <g>
      <circle class="quay" cx={x} cy={y} r={11} />
      <SymbolAt symbol="SYMBOL_PORT" x={x} y={y} size={15} />
    </g>
  );
}

/** Returns a tile in words: "land at 2 of 4 corners, 2 flowers, 1 place for a house". */
export function describeTile(tile: smallIslands.Tile, name: (symbol: smallIslands.Symbol, count?: number) => string): string {
  const ports = Array.from({ length: tile.ports }, () => "SYMBOL_PORT" as const);
  const symbols = [...tile.symbols.map(({ symbol }) => symbol), ...ports];
  const kinds = [...new Set(symbols)].map((kind) => {
    const count = symbols.filter((one) => one === kind).length;
    return `${count} ${name(kind, count)}`;
  });
  const corners = tile.landCorners.filter(Boolean).length;
  return `land at ${corners} of 4 corners${kinds.length ? `, ${kinds.join(", ")}` : ""}`;
}

/** A tile on a card. */
export function TilePicture({ tile, turns = 0 }: { tile: smallIslands.Tile; turns?: number }): JSX.Element {
  return (
    <svg class="symbols tile-picture" viewBox="-1 -1 102 102" aria-hidden="true">
      <Face tile={tile} turns={turns} />
    </svg>
  );
}
