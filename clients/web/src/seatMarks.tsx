import type { JSX } from "preact";

/** The outline of each seat's mark, 16 wide and high around the origin: sail, wheel, crate, star, knot. */
const SHAPES: readonly string[] = [
  "M0-7 7 6H-7Z",
  "M0-7A7 7 0 1 1 0 7 7 7 0 1 1 0-7Z",
  "M-6-6H6V6H-6Z",
  "M0-8 2-2 8 0 2 2 0 8-2 2-8 0-2-2Z",
  "M0-8 7-3 5 6H-5L-7-3Z",
];


/** Returns the outline of a seat's mark. */
export function seatMarkPath(seat: number): string {
  return SHAPES[seat % SHAPES.length] ?? "";
}

/** The colour of a seat, as a CSS value. */
export function seatColour(seat: number): string {
  return `var(--seat-${seat % SHAPES.length})`;
}

/** A seat's mark inside an SVG. */
export function SeatMarkAt({ seat, x, y, size = 16 }: { seat: number; x: number; y: number; size?: number }): JSX.Element {
  return (
    <path
      d={seatMarkPath(seat)}
      transform={`translate(${x} ${y}) scale(${size / 16})`}
      fill={seatColour(seat)}
      stroke="var(--rim)"
      stroke-width={1.5}
      stroke-linejoin="round"
    />
  );
}

/** A seat's mark in a line of text. */
export function SeatMark({ seat }: { seat: number }): JSX.Element {
  return (
    <svg class="mark" viewBox="-10 -10 20 20" width="20" height="20" aria-hidden="true">
      <SeatMarkAt seat={seat} x={0} y={0} />
    </svg>
  );
}
