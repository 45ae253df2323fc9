// Tic-tac-toe for both servers. A new round begins when one is over, so that a match lasts as long as the load.

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

export const EMPTY = -1;
export const CELLS = 9;
/** Bytes of JSON that the larger state of boardgame.io has about, as a game of Skerry has. */
export const LARGE = 5000;

/** Whether `cell` can be taken. Rejects whatever a client may send. */
export function isLegal(cells, cell) {
  return Number.isInteger(cell) && cell >= 0 && cell < CELLS && cells[cell] === EMPTY;
}

/** Take `cell` for `seat`. Clears the cells and returns true if that ends the round. */
export function take(cells, cell, seat) {
  cells[cell] = seat;
  const won = LINES.some((line) => line.every((each) => cells[each] === seat));
  if (!won && cells.some((each) => each === EMPTY)) return false;
  for (let each = 0; each < CELLS; each++) cells[each] = EMPTY;
  return true;
}
