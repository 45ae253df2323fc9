import type { smallIslands } from "skerry-client";

type Cell = smallIslands.Cell;
type View = smallIslands.View;

/** Returns the target of a cell: `cell:3,4`. */
export function cellAt({ x, y }: Cell): string {
  return `cell:${x},${y}`;
}

/** Returns the cell of a target. */
export function cellOf(at: string): Cell {
  const [x = 0, y = 0] = at.slice(at.indexOf(":") + 1).split(",").map(Number);
  return { x, y };
}

/** Whether two cells are the same. */
export function isSame(one: Cell | undefined, other: Cell): boolean {
  return one?.x === other.x && one.y === other.y;
}

/** The visible part of the table: its first column and row, and the number of both. */
export interface Extent {
  x: number;
  y: number;
  columns: number;
  rows: number;
}

/** The smallest visible part, on wide and narrow screens. It grows with the tiles. */
const MIN_SIZE = { wide: { columns: 11, rows: 6 }, narrow: { columns: 6, rows: 6 } };

/** Returns the part of the table with all tiles and ships, and one more cell on every side. */
export function extentOf({ tiles, ships, tableSize }: View, isWide: boolean): Extent {
  const least = isWide ? MIN_SIZE.wide : MIN_SIZE.narrow;
  const cells = [...tiles, ...ships].map(({ at }) => at);
  const [x, columns] = span(cells.map((cell) => cell.x), least.columns, tableSize);
  const [y, rows] = span(cells.map((cell) => cell.y), least.rows, tableSize);
  return { x, y, columns, rows };
}

/** Returns the start and the length of the range that covers the numbers and one more on both sides. */
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

/** Returns the cell of the latest event that has one. */
export function latestCell(events: readonly smallIslands.Event[]): Cell | undefined {
  const [last] = events.flatMap((event) => {
    const [content] = Object.values(event) as { at?: Cell }[];
    return content?.at ? [content.at] : [];
  }).slice(-1);
  return last;
}
