import type { canarias } from "skerry-client";
import type { JSX } from "preact";

/** Returns a colour as a CSS class and a word: `red`. */
export function hueOf(colour: canarias.Colour): string {
  return colour.replace("COLOUR_", "").toLowerCase();
}

/** Returns a kind of building as a word: `house`. */
export function kindOf(piece: canarias.Piece): string {
  return piece.replace("PIECE_", "").toLowerCase();
}

/** Returns a feature that a settler wants to live next to, as a word: `coast`, `red`. */
export function wishOf(feature: canarias.Feature): string {
  return feature.replace("FEATURE_", "").toLowerCase();
}

/** The sign of each colour, 10 wide and high around the origin. Players need not rely on the colour itself. */
const SIGNS: Readonly<Record<string, string>> = {
  orange: "M0-4A4 4 0 1 1 0 4 4 4 0 1 1 0-4Z",
  brown: "M-4-2H4M-4 2.5H4",
  green: "M-4 4Q-5-4 4-4 5 4-4 4ZM-4 4 1-1",
  blue: "M-5 0q2.5-5 5 0t5 0",
  beige: "M0-5 4 0 0 5-4 0Z",
  red: "M0-4.5V4.5M-4.5 0H4.5",
};

/** The symbols of the land, 20 wide and high around the origin. */
const LANDS: Readonly<Record<string, string>> = {
  coast: "M0-9a2.5 2.5 0 1 1 0 5 2.5 2.5 0 1 1 0-5ZM0-4V9M-4-1H4M-8 2Q-7 9 0 9 7 9 8 2",
  village: "M-9 8V0l5-5 5 5V8M1 8V-5l4-4 4 4V8M-9 8H9M-4 8V4",
  river: "M-5-9Q3-4-4 1-7 5 0 9M1-9Q9-4 2 1-1 5 6 9",
  mountain: "M-9 7-2-7 2 1 4-3 9 7Z",
  farmland: "M0 9V-8M0-2q-5 0-5-5 5 0 5 5zM0-2q5 0 5-5-5 0-5 5zM0 4q-5 0-5-5 5 0 5 5zM0 4q5 0 5-5-5 0-5 5z",
  road: "M-7 9-3-9M7 9 3-9M0-8v3M0-2v3M0 4v4",
};

/** The kinds of land, in the order of the legend. */
export const LAND_NAMES: readonly string[] = Object.keys(LANDS);

/** Houses, palaces and towns have one, two and three roofs: as many as the houses they replace. */
const PIECES: Readonly<Record<string, { drawing: string; signAt: number }>> = {
  house: { drawing: "M-10 12V-2L0-12 10-2V12Z", signAt: 4 },
  palace: { drawing: "M-17 13V-4l8.5-10L0-4l8.5-10L17-4V13Z", signAt: 5 },
  town: { drawing: "M-20 14V0l6.5-8L-7 0v-9L0-18-0-23l6 2.5-6 2.5 7 9v9l6.5-8L20 0V14Z", signAt: 4 },
};

/** A building inside an SVG, with the sign of its colour. */
export function PieceAt({ kind, hue }: { kind: string; hue: string }): JSX.Element {
  const { drawing, signAt } = PIECES[kind] ?? PIECES["house"]!;
  return (
    <g class={`building ${hue}`}>
      <path class="walls" d={drawing} />
      <path class="sign" d={SIGNS[hue]} transform={`translate(0 ${signAt})`} />
    </g>
  );
}

/** The symbol of a kind of land, around the origin. */
export function LandAt({ land }: { land: string }): JSX.Element {
  return <path class={`stroke ${land}`} d={LANDS[land]} />;
}

/** A building in a line of text. */
export function PieceIcon({ kind, hue }: { kind: string; hue: string }): JSX.Element {
  return (
    <svg class="piece-icon" viewBox="-22 -24 44 40" aria-hidden="true">
      <PieceAt kind={kind} hue={hue} />
    </svg>
  );
}

/** The symbol of a feature: a kind of land, or a building of a colour. */
export function WishIcon({ wish }: { wish: string }): JSX.Element {
  return (
    <svg class={`wish ${wish}`} viewBox="-13 -14 26 28" aria-hidden="true">
      {wish in LANDS ? <LandAt land={wish} /> : <PieceAt kind="house" hue={wish} />}
    </svg>
  );
}

/** The back of a card. */
export function BackIcon(): JSX.Element {
  return (
    <svg class="back" viewBox="0 0 40 56" aria-hidden="true">
      <rect x="1" y="1" width="38" height="54" rx="4" />
      <path d="M20 10v24M20 12q12 4 11 18H20M8 36h24l-5 8H13z" />
    </svg>
  );
}
