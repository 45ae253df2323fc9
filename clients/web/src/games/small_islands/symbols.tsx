import type { smallIslands } from "skerry-client";
import type { JSX } from "preact";

interface GameAssets {
  name: string;
  plural: string;
  /** Around the origin, 20 wide and high. */
  drawing: string;
}

/** The symbols of the tiles. They differ in shape, not only in colour. */
const SYMBOLS: Readonly<Record<string, GameAssets>> = {
  SYMBOL_FLOWER: {
    name: "flower",
    plural: "flowers",
    drawing:
      "M0-3.5a3.5 3.5 0 1 1 3.3 2.4 3.5 3.5 0 1 1-1.3 4 3.5 3.5 0 1 1-4 0 3.5 3.5 0 1 1-1.3-4A3.5 3.5 0 1 1 0-3.5z",
  },
  SYMBOL_FRUIT: { name: "fruit", plural: "fruits", drawing: "M0-4q8-4 8 4 0 8-8 9-8-1-8-9 0-8 8-4zM0-4q0-4 4-6" },
  SYMBOL_LEAF: { name: "leaf", plural: "leaves", drawing: "M-8 9Q-10-8 9-9 9 9-8 9zM-8 9 3-3" },
  SYMBOL_TEMPLE: { name: "temple", plural: "temples", drawing: "M-9-3 0-10 9-3zM-7-3v10M-2.5-3v10M2.5-3v10M7-3v10M-9 9V7H9v2z" },
  SYMBOL_PORT: { name: "port", plural: "ports", drawing: "M0-9a2.5 2.5 0 1 1 .1 0M0-4V9M-4-1H4M-8 2Q-7 9 0 9 7 9 8 2" },
  SYMBOL_HOUSE: { name: "place for a house", plural: "places for houses", drawing: "M-8 8V-1L0-8 8-1V8z" },
};

const UNKNOWN: GameAssets = { name: "symbol", plural: "symbols", drawing: "" };

/** Returns the name of a symbol, in the singular or the plural. */
export function symbolName(symbol: smallIslands.Symbol, count = 1): string {
  const { name, plural } = SYMBOLS[symbol] ?? UNKNOWN;
  return count === 1 ? name : plural;
}

/** Returns the name of a bonus token. */
export function tokenName(token: smallIslands.BonusToken): string {
  return token === "BONUS_TOKEN_ANY" ? "wild" : token.replace("BONUS_TOKEN_", "").toLowerCase();
}

interface SymbolAtProps {
  symbol: smallIslands.Symbol;
  x: number;
  y: number;
  size?: number;
}

/** A symbol inside an SVG, `size` wide and high. */
export function SymbolAt({ symbol, x, y, size = 20 }: SymbolAtProps): JSX.Element {
  const kind = symbol.replace("SYMBOL_", "").toLowerCase();
  const { drawing } = SYMBOLS[symbol] ?? UNKNOWN;
  return <path class={`symbol ${kind}`} transform={`translate(${x} ${y}) scale(${size / 20})`} d={drawing} />;
}

/** A symbol in a line of text, or on a card. */
export function Icon({ symbol, size = 22 }: { symbol: smallIslands.Symbol; size?: number }): JSX.Element {
  return (
    <svg class="symbols glyph" viewBox="-11 -12 22 23" width={size} height={size} aria-hidden="true">
      <SymbolAt symbol={symbol} x={0} y={0} />
    </svg>
  );
}
