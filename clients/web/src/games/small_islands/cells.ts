import type { smallIslands } from "skerry-client";

type Cell = smallIslands.Cell;
type View = smallIslands.View;

/** Returns what a cell of the table is called as an element. */
export function cellAt({ x, y }: Cell): string {
  return `cell:${x},${y}`;
}

/** Returns the cell that an element is. */
export function cellOf(at: string): Cell {
  const [x = 0, y = 0] = at.slice(at.indexOf(":") + 1).split(",").map(Number);
  return { x, y };
}

/** Whether two cells are the same. */
export function isSame(one: Cell | undefined, other: Cell): boolean {
  return one?.x === other.x && one.y === other.y;
}

/** The part of the table that is shown: the first column and row, and how many of both. */
export interface Extent {
  x: number;
  y: number;
  columns: number;
  rows: number;
}

/** So much of the table is shown at least, on a wide screen and on a narrow one. It grows with the tiles. */
const LEAST = { wide: { columns: 11, rows: 6 }, narrow: { columns: 6, rows: 6 } };

/** Returns the part of the table with all tiles and ships, and a cell more on every side. */
export function extentOf({ tiles, ships, tableSize }: View, isWide: boolean): Extent {
  const least = isWide ? LEAST.wide : LEAST.narrow;
  const cells = [...tiles, ...ships].map(({ at }) => at);
  const [x, columns] = span(cells.map((cell) => cell.x), least.columns, tableSize);
  const [y, rows] = span(cells.map((cell) => cell.y), least.rows, tableSize);
  return { x, y, columns, rows };
}

/** Returns where to begin, and how far to go, to show some numbers and one more on both sides. */
function span(numbers: readonly number[], least: number, size: number): readonly [number, number] {
  const middle = size / 2;
  const first = Math.max(0, Math.min(middle, ...numbers) - 1);
  const last = Math.min(size - 1, Math.max(middle - 1, ...numbers) + 1);
  const spare = Math.max(0, Math.min(least, size) - (last - first + 1));
  const begin = Math.min(Math.max(0, first - Math.floor(spare / 2)), size - (last - first + 1 + spare));
  return [begin, last - first + 1 + spare];
}

/** Returns the island that a cell is part of. */
export function islandAt(view: View, cell: Cell | undefined): smallIslands.Island | undefined {
  return cell && view.islands.find(({ cells }) => cells.some((one) => isSame(cell, one)));
}

/** Returns the cell of the latest event that names one. */
export function latestCell(events: readonly smallIslands.Event[]): Cell | undefined {
  const [last] = events.flatMap((event) => {
    const [told] = Object.values(event) as { at?: Cell }[];
    return told?.at ? [told.at] : [];
  }).slice(-1);
  return last;
}
