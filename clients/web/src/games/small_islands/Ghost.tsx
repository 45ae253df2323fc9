import type { smallIslands } from "skerry-client";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Hot, type Touching } from "../../hot.js";
import { cellOf } from "./cells.js";
import { Ship } from "./Table.js";
import { Face, SIDE } from "./Tile.js";

interface GhostProps {
  /** The tile that is being laid. Absent if none is. */
  tile: smallIslands.Tile | undefined;
  /** The viewer's seat. */
  seat: number | undefined;
  /** The cell that is pointed at. */
  aimed: string | undefined;
  touching: Touching;
}

/**
 * What would come to lie on the cell that is pointed at, or has been chosen. There it can be turned, if it fits in
 * several ways, and is laid by touching it once more.
 */
export function Ghost({ tile, seat, aimed, touching }: GhostProps): JSX.Element | null {
  const [spins, turnIt] = useSpins(tile?.id);
  const { choice } = touching;
  const ship = choice.taken.find((at) => at.startsWith("ship:"));
  const chosen = choice.taken.find((at) => at.startsWith("cell:"));
  const cell = chosen ?? (aimed !== undefined && choice.next.has(aimed) ? aimed : undefined);
  if (cell === undefined || !(tile ?? ship)) return null;
  const turns = turnsOn(cell, touching);
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
        <Hot at={turn ?? cell} {...touching}>
          {picture}
        </Hot>
      ) : (
        picture
      )}
      {chosen && turns.length > 1 && <Spin onTurn={turnIt} />}
    </g>
  );
}

/** Returns the ways in which the tile can be turned on a cell. */
function turnsOn(cell: string, { choice: { taken, next, ways } }: Touching): string[] {
  const open = taken.includes(cell) ? ways : (next.get(cell)?.ways ?? []);
  const steps = open.flatMap((way) => way.steps.filter(({ at }) => at.startsWith("turn:")));
  return [...new Set(steps.map(({ at }) => at))];
}

/** Counts how often the tile has been turned: with R, or by the returned function. Another tile begins anew. */
function useSpins(tile: string | undefined): readonly [number, () => void] {
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

function Spin({ onTurn }: { onTurn: () => void }): JSX.Element {
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
