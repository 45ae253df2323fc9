import type { api } from "skerry-client";
import type { JSX } from "preact";
import { Selectable } from "../selectable.js";
import { seatColour, seatMarkPath } from "../seatMarks.js";
import type { TableDrawing } from "./AreaView.js";
import { symbolId } from "./Symbols.js";

/** The smallest side of the frame of a piece, in SVG units. */
const MIN_SIDE = 32;

interface PieceViewProps {
  piece: api.ScenePiece;
  /** Whether pointers reach the place below it. */
  isPassive: boolean;
  /** The least side of its touch area, in SVG units. */
  least: number;
  table: TableDrawing;
}

/** A piece: its symbol, the mark of its owner, and its count or badge. */
export function PieceView({ piece, isPassive, least, table: { symbols, names, touched, lit, notes, control, taught } }: PieceViewProps): JSX.Element | null {
  const { id, x, y, rotation, owner, faded } = piece;
  const symbol = symbols.get(piece.symbol);
  if (!symbol) return null;
  const label = `${piece.label || symbol.label}${owner === undefined ? "" : ` (${names[owner]})`}`;
  const state = ["piece", faded && "faded", isPassive && "passive", touched.has(id) && "touched", lit.has(id) && "lit", taught.has(id) && "taught"].filter(Boolean).join(" ");
  const [width, height] = [Math.max(MIN_SIDE, symbol.width + 4), Math.max(MIN_SIDE, symbol.height + 4)];
  const [wide, high] = [Math.max(width, least), Math.max(height, least)];
  const isSmall = control.selection.next.has(id) && (wide > width || high > height);
  return (
    <Selectable
      target={id}
      class={state}
      label={label}
      note={notes.get(id)}
      transform={`translate(${x} ${y})${rotation ? ` rotate(${rotation})` : ""}`}
      style={{ ...(owner !== undefined && { color: seatColour(owner) }), ...(rotation && { "--turned": `${rotation}deg` }) }}
      control={control}
    >
      {isSmall && <rect class="reach" x={-wide / 2} y={-high / 2} width={wide} height={high} />}
      <Face {...{ symbol, owner }} />
      <rect class="edge" x={-width / 2} y={-height / 2} width={width} height={height} rx={6} data-side={Math.min(width, height)} />
      <Badge piece={piece} symbol={symbol} />
    </Selectable>
  );
}

/** What is drawn on a piece: its symbol, and the mark of its owner. */
export function Face({ symbol, owner }: { symbol: api.SceneSymbol; owner: number | undefined }): JSX.Element {
  return (
    <>
      <use href={`#${symbolId(symbol.id)}`} />
      {owner !== undefined && <OwnersMark symbol={symbol} owner={owner} />}
    </>
  );
}

function OwnersMark({ symbol: { markX, markY, markSize }, owner }: { symbol: api.SceneSymbol; owner: number }): JSX.Element {
  return <path class="owners-mark" d={seatMarkPath(owner)} transform={`translate(${markX} ${markY}) scale(${markSize / 16})`} />;
}

/** The badge of a piece, or else the number of equal pieces that it stands for. */
function Badge({ piece: { badge, count }, symbol: { width, height } }: { piece: api.ScenePiece; symbol: api.SceneSymbol }): JSX.Element | null {
  const text = badge || (count > 1 ? `× ${count}` : "");
  if (!text) return null;
  return (
    <text class="badge" x={width / 2 + 4} y={height / 2 - 2}>
      {text}
    </text>
  );
}
