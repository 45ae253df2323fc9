import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { symbolId } from "../../board/Symbols.js";
import { Selectable, type SelectionControl } from "../../selectable.js";
import { seatColour } from "../../seatMarks.js";
import { useKey } from "../../useKey.js";
import "./small_islands.css";
import { t } from "../../texts/texts.js";

/** The side of a tile, in SVG units. */
const SIDE = 100;

export interface PlacementPreviewProps {
  /** The places of the area. */
  places: readonly api.ScenePlace[];
  /** All pieces of the table. */
  pieces: readonly api.ScenePiece[];
  /** The id of the place under the pointer or with the focus. */
  aimed: string | undefined;
  control: SelectionControl;
}

/**
 * A preview of the tile or ship on the cell under the pointer, or on the selected cell. On the selected cell, the tile can be
 * turned if it fits in several ways. Selecting it again lays it.
 */
export function PlacementPreview({ places, pieces, aimed, control }: PlacementPreviewProps): JSX.Element | null {
  const { selection } = control;
  const laid = pieces.find(({ id }) => selection.targets.includes(id)) ?? pieces.find(({ id }) => id.startsWith("picked:"));
  const [spins, turnIt] = useRotations(laid?.symbol);
  const chosen = selection.targets.find((id) => id.startsWith("cell:"));
  const cell = chosen ?? (aimed !== undefined && selection.next.has(aimed) ? aimed : undefined);
  const place = places.find(({ id }) => id === cell);
  if (!place || !laid) return null;
  const turns = turnsOn(place.id, control);
  const turn = turns[spins % turns.length];
  const degrees = 90 * Number(turn?.slice(5) ?? 0);
  const colour = laid.owner !== undefined && { color: seatColour(laid.owner) };
  const picture = (
    <g transform={`rotate(${degrees})`} style={{ ...colour, "--turned": `${degrees}deg` }}>
      <use href={`#${symbolId(laid.symbol)}`} />
    </g>
  );
  return (
    <g class={chosen ? "ghost" : "ghost aimed"} transform={`translate(${place.x} ${place.y})`}>
      {chosen ? (
        <Selectable target={turn ?? place.id} label={place.label} control={control}>
          {picture}
        </Selectable>
      ) : (
        picture
      )}
      {chosen && turns.length > 1 && <RotateButton onTurn={turnIt} />}
    </g>
  );
}

/** Returns the rotations in which the tile fits on a cell. */
function turnsOn(cell: string, { selection: { targets, next, paths } }: SelectionControl): string[] {
  const open = targets.includes(cell) ? paths : (next.get(cell)?.paths ?? []);
  const steps = open.flatMap((path) => path.steps.filter(({ target }) => target.startsWith("turn:")));
  return [...new Set(steps.map(({ target }) => target))];
}

/** Returns the number of turns, and a function that adds one. The key R does too. Another tile resets the number. */
function useRotations(symbol: string | undefined): readonly [number, () => void] {
  const [spins, setSpins] = useState(0);
  const turnIt = (): void => setSpins((count) => count + 1);
  useEffect(() => setSpins(0), [symbol]);
  useKey("r", turnIt);
  return [spins, turnIt];
}

function RotateButton({ onTurn }: { onTurn: () => void }): JSX.Element {
  const onClick = (event: Event): void => {
    event.stopPropagation();
    onTurn();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onTurn();
  };
  const what = t("board-turn-tile");
  const corner = `translate(${SIDE / 2 + 8} ${-SIDE / 2 - 8})`;
  return (
    <g class="spin" role="button" tabindex={0} aria-label={what} transform={corner} {...{ onClick, onKeyDown }}>
      <title>{what}</title>
      <circle r={22} />
      <path d="M9-5A10 10 0 1 0 10 3M10-11v7h-7" />
    </g>
  );
}
