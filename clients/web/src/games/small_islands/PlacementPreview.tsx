import type { smallIslands } from "skerry-client";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Selectable, type SelectionControl } from "../../selectable.js";
import { cellOf } from "./cells.js";
import { Ship } from "./LaidTiles.js";
import { Face, SIDE } from "./Tile.js";

interface PlacementPreviewProps {
  /** The tile that is being laid. Absent if the player lays no tile. */
  tile: smallIslands.Tile | undefined;
  /** The viewer's seat. */
  seat: number | undefined;
  /** The target of the cell under the pointer. */
  aimed: string | undefined;
  control: SelectionControl;
}

/**
 * A preview of the tile or ship on the cell under the pointer, or on the selected cell. On the selected cell, the tile can be
 * turned if it fits in several ways. Selecting it again lays it.
 */
export function PlacementPreview({ tile, seat, aimed, control }: PlacementPreviewProps): JSX.Element | null {
  const [spins, turnIt] = useRotations(tile?.id);
  const { selection } = control;
  const ship = selection.targets.find((at) => at.startsWith("ship:"));
  const chosen = selection.targets.find((at) => at.startsWith("cell:"));
  const cell = chosen ?? (aimed !== undefined && selection.next.has(aimed) ? aimed : undefined);
  if (cell === undefined || !(tile ?? ship)) return null;
  const turns = turnsOn(cell, control);
  const turn = turns[spins % turns.length];
  const { x, y } = cellOf(cell);
  const picture = (
    <>
      {tile ? <Face tile={tile} turns={Number(turn?.slice(5) ?? 0)} /> : <Ship seat={ship === "ship:own" ? seat : undefined} />}
      <rect class="edge" width={SIDE} height={SIDE} rx={3} />
    </>
  );
  return (
    <g class={chosen ? "ghost" : "ghost aimed"} transform={`translate(${x * SIDE} ${y * SIDE})`}>
      {chosen ? (
        <Selectable target={turn ?? cell} {...control}>
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
function useRotations(tile: string | undefined): readonly [number, () => void] {
  const [spins, setSpins] = useState(0);
  const turnIt = (): void => setSpins((count) => count + 1);
  useEffect(() => setSpins(0), [tile]);
  useEffect(() => {
    const onKey = ({ key, target }: KeyboardEvent): void => {
      if (key.toLowerCase() === "r" && !(target instanceof HTMLInputElement)) turnIt();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
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
  const what = "Turn the tile (R)";
  const place = `translate(${SIDE + 8} -8)`;
  return (
    <g class="spin" role="button" tabindex={0} aria-label={what} transform={place} {...{ onClick, onKeyDown }}>
      <title>{what}</title>
      <circle r={22} />
      <path d="M9-5A10 10 0 1 0 10 3M10-11v7h-7" />
    </g>
  );
}
