import type { tenerife } from "skerry-client";
import type { JSX } from "preact";
import { seatColour, seatMarkPath } from "../../seatMarks.js";
import { at, usePieceKeys } from "../pieceKeys.js";
import { roomFor } from "./Quay.js";

interface PiecesProps {
  board: tenerife.Board;
  view: tenerife.View;
}

interface House {
  id: string;
  seat: number;
  x: number;
  y: number;
  size: number;
}

/** Returns all mansions: in towns, as elements of the Town Hall, and as warehouses. */
function housesOf(board: tenerife.Board, view: tenerife.View): House[] {
  const towns = view.towns.flatMap(({ town, mansions }) => {
    const plots = board.places.find(({ id }) => id === town)?.plots ?? [];
    return mansions.map((seat, place) => ({ id: `${town}/${place}`, seat, ...plots[place]!, size: 1 }));
  });
  const hall = view.hall.flatMap(({ plot, seat }) =>
    seat === undefined ? [] : [{ id: `hall/${plot}`, seat, ...board.hallPlots[plot - 1]!.at, size: 1.35 }],
  );
  const stored = view.storage.flatMap(({ storage, warehouses }) => {
    const space = board.storageSpaces[storage - 1]!;
    const room = roomFor(space.room);
    return warehouses.map((seat, place) => ({
      ...{ id: `storage/${storage}/${seat}/${place}`, seat, size: 0.85 },
      x: space.at.x + room[place]!,
      y: space.at.y + 21,
    }));
  });
  return [...towns, ...hall, ...stored];
}

/** All mansions on the board, with their owners' colours and marks. */
export function Mansions({ board, view }: PiecesProps): JSX.Element {
  return (
    <g class="mansions">
      {housesOf(board, view).map(({ id, seat, x, y, size }) => (
        <g key={id} transform={`translate(${x} ${y}) scale(${size})`}>
          <g class="mansion">
            <path style={{ fill: seatColour(seat) }} d="M-11 11V-3L0-12 11-3V11z" />
            <path class="blazon" d={seatMarkPath(seat)} transform="translate(0 3) scale(0.7)" />
          </g>
        </g>
      ))}
    </g>
  );
}

/** The merchants on the board. */
export function Merchants({ board, view }: PiecesProps): JSX.Element {
  const standing = view.seats.flatMap(({ seat, merchant }) => (merchant === undefined ? [] : [{ seat, place: merchant }]));
  const tokens = usePieceKeys(
    standing.map(({ seat, place }) => {
      const here = standing.filter((one) => one.place === place).map((one) => one.seat);
      const { x, y } = board.places.find(({ id }) => id === place)!.at;
      return { kind: `merchant-${seat}`, place, seat, x: x + (here.indexOf(seat) - (here.length - 1) / 2) * 24, y };
    }),
  );
  return (
    <g class="merchants">
      {tokens.map(({ id, seat, x, y }) => (
        <g key={id} class="piece" style={at(x, y)}>
          <path style={{ fill: seatColour(seat) }} d="M-11 14Q-11 0-5-3a6.5 6.5 0 1 1 10 0Q11 0 11 14z" />
          <path class="blazon" d={seatMarkPath(seat)} transform="translate(0 6) scale(0.7)" />
        </g>
      ))}
    </g>
  );
}

/** The farmhand. It marks the space where the next goods are stored. */
export function Farmhand({ board, view }: PiecesProps): JSX.Element {
  const { x, y } = board.storageSpaces[view.farmhand - 1]!.at;
  return (
    <g class="piece farmhand" style={at(x, y - 52)}>
      <path d="M-12-6H12M-6-6q0-7 6-7t6 7M-4.5-4.5v3a4.5 4.5 0 0 0 9 0v-3M-9 14q0-11 9-11t9 11z" />
      <title>The farmhand: the next warehouse is built here</title>
    </g>
  );
}
