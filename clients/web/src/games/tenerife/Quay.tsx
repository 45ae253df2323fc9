import type { tenerife } from "skerry-client";
import type { JSX } from "preact";
import { Selectable, type SelectionControl } from "../../selectable.js";
import { seatColour, seatMarkPath } from "../../seatMarks.js";

interface QuayProps {
  board: tenerife.Board;
  view: tenerife.View;
}

/** Half the width and half the height of a storage space. */
const [WIDE, HIGH] = [36, 38];

/** The goods, 24 wide and high around the origin. */
const GOODS: Readonly<Record<string, { name: string; drawing: string }>> = {
  GOOD_SUGAR: { name: "sugar", drawing: "M-8 11H8L3-9q-3-4-6 0zM-6 3H6M-4.5-3h9" },
  GOOD_WINE: { name: "wine", drawing: "M-6-11H6q5 11 0 22H-6q-5-11 0-22zM-8-5H8M-8 5H8" },
};

const SHIP = "M-30 8H30L22 26H-22zM-2 8V-30Q24-22 22 2H-2zM-6 2V-20Q-22-14-22 2z";

/** The storage spaces on the quay, in the order of the farmhand's walk. */
export function Storage({ board, view, control }: QuayProps & { control: SelectionControl }): JSX.Element {
  const spaces = board.storageSpaces;
  const [first, last] = [spaces[0]!.at, spaces[spaces.length - 1]!.at];
  const pier = { x: first.x - WIDE - 12, y: first.y - HIGH - 8, width: last.x - first.x + 2 * WIDE + 24, height: 2 * HIGH + 16 };
  return (
    <g class="storage">
      <rect class="pier" {...pier} rx={6} />
      {spaces.map((space) => (
        <StorageSpot key={space.number} space={space} state={view.storage[space.number - 1]!} control={control} />
      ))}
    </g>
  );
}

interface SpotProps {
  space: tenerife.StorageSpace;
  state: tenerife.StorageState;
  control: SelectionControl;
}

function StorageSpot({ space: { number, good, value, room, at }, state, control }: SpotProps): JSX.Element {
  const { name, drawing } = GOODS[good] ?? { name: "", drawing: "" };
  return (
    <g class={`spot ${name}`} transform={`translate(${at.x} ${at.y})`}>
      <Selectable target={`storage:${number}`} {...control}>
        <title>{`Storage space ${number}: ${name}, ${value} points; ${state.warehouses.length} of ${room} taken`}</title>
        <rect class="ground" x={-WIDE} y={-HIGH} width={2 * WIDE} height={2 * HIGH} rx={4} />
        <path class="good" d={drawing} transform="translate(-18 -20)" />
        {roomFor(room).map((x) => (
          <rect key={x} class="plot" x={x - 10} y={11} width={20} height={20} rx={2} />
        ))}
      </Selectable>
      <text class="figures" x={16} y={-13} aria-hidden="true">
        {value}
      </text>
    </g>
  );
}

/** Returns the positions of warehouses on a storage space, relative to its centre. */
export function roomFor(room: number): number[] {
  return Array.from({ length: room }, (_, place) => (place - (room - 1) / 2) * 22);
}

/** The ships that carry goods and merchants this round. */
export function Transport({ board, view }: QuayProps): JSX.Element {
  return (
    <g class="transport">
      {board.transport.slice(0, view.transportSpaces).map(({ x, y }, place) => {
        const seat = view.column[(view.transport[place] ?? 0) - 1]?.seat;
        return (
          <g key={x} transform={`translate(${x} ${y})`} style={seat === undefined ? {} : { color: seatColour(seat) }}>
            <title>{seat === undefined ? "A free ship" : "A ship in use this round"}</title>
            <path class={seat === undefined ? "ship" : "ship loaded"} d={SHIP} />
            {seat !== undefined && <path class="blazon" d={seatMarkPath(seat)} transform="translate(8 -8)" />}
          </g>
        );
      })}
      <text class="caption" x={board.transport[0]!.x - 34} y={board.transport[0]!.y - 44}>
        Ships, for exporters and merchants
      </text>
    </g>
  );
}
