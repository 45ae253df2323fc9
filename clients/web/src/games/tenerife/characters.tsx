import type { tenerife } from "skerry-client";
import type { JSX } from "preact";
import { seatColour, seatMarkPath } from "../../seatMarks.js";

interface GameAssets {
  name: string;
  does: string;
  /** 32 wide and high. */
  drawing: string;
}

/** Each character's name, effect and picture. */
const CHARACTERS: Readonly<Record<string, GameAssets>> = {
  CHARACTER_MASON: {
    name: "mason",
    does: "builds in the town of the round",
    drawing: "M5 27l9-9M11 15l6 6 11-11q-1-5-6-6zM3 25l4 4",
  },
  CHARACTER_FARMER: {
    name: "farmer",
    does: "stores goods in a farmers' town",
    drawing: "M16 29V8M16 12q-7 0-7-7 7 0 7 7zM16 12q7 0 7-7-7 0-7 7zM16 21q-7 0-7-7 7 0 7 7zM16 21q7 0 7-7-7 0-7 7z",
  },
  CHARACTER_MERCHANT: {
    name: "merchant",
    does: "+1 per mansion of other players",
    drawing: "M16 5v22M10 27h12M6 9h20M6 9l-4 9h8zM26 9l-4 9h8z",
  },
  CHARACTER_EXPORTER: {
    name: "exporter",
    does: "sells your goods",
    drawing: "M4 14h14v14H4zM4 21h14M11 14v14M18 11 28 4M21 4h7v7",
  },
  CHARACTER_THIEVES: {
    name: "thieves",
    does: "rob the character before them",
    drawing: "M3 11q13-5 26 0-1 11-8 11-4 0-5-4-1 4-5 4-7 0-8-11zM8 15q3-2 5 1M24 15q-3-2-5 1",
  },
};

const UNKNOWN: GameAssets = { name: "character", does: "", drawing: "" };

/** Returns the name, effect and picture of a character. */
export function printedOn(character: tenerife.Character): GameAssets {
  return CHARACTERS[character] ?? UNKNOWN;
}

/** Returns the name of a card: "thieves of the second colour". */
export function cardName({ character, colour }: tenerife.Card): string {
  return `${printedOn(character).name}${colour === "COLOUR_SECOND" ? " of the second colour" : ""}`;
}

/** The picture of a character. */
export function Picture({ character }: { character: tenerife.Character }): JSX.Element {
  return (
    <svg viewBox="0 0 32 32" class="icon" aria-hidden="true">
      <path d={printedOn(character).drawing} />
    </svg>
  );
}

/** The back of a card with its owner's mark. A card of the second colour has a frame. */
export function Back({ seat, colour }: { seat: number; colour: tenerife.Colour | undefined }): JSX.Element {
  return (
    <svg viewBox="-20 -26 40 52" class="card-back" style={{ color: seatColour(seat) }} aria-hidden="true">
      <rect x={-19} y={-25} width={38} height={50} rx={4} />
      {colour === "COLOUR_SECOND" && <rect class="second" x={-14} y={-20} width={28} height={40} rx={2} />}
      <path d={seatMarkPath(seat)} transform="scale(1.3)" />
    </svg>
  );
}
