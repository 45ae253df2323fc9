import type { smallIslands } from "skerry-client";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Hot, type Touching } from "../../hot.js";
import { Ship } from "./Table.js";
import { Face, SIDE } from "./Tile.js";

interface GhostProps {
  /** The tile that is being laid; absent for a ship. */
  tile: smallIslands.Tile | undefined;
  /** Whose ship it is; absent for a grey one. */
  seat: number | undefined;
  touching: Touching;
}

/** What has been chosen to lie on a cell: it can be turned there, and is laid by touching it once more. */
export function Ghost({ tile, seat, touching }: GhostProps): JSX.Element | null {
  const [spins, setSpins] = useState(0);
  const { choice } = touching;
  const cell = choice.taken.find((at) => at.startsWith("cell:"));
  const turns = [...choice.next.keys()].filter((at) => at.startsWith("turn:"));
  useEffect(() => setSpins(0), [cell]);
  useEffect(() => {
    const spin = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() === "r" && !(event.target instanceof HTMLInputElement)) setSpins((count) => count + 1);
    };
    addEventListener("keydown", spin);
    return () => removeEventListener("keydown", spin);
  }, []);
  if (cell === undefined) return null;
  const [x = 0, y = 0] = cell.slice(5).split(",").map(Number);
  const at = turns[spins % turns.length] ?? choice.taken.find((one) => one.startsWith("turn:"));
  const spin = (event: Event): void => {
    event.stopPropagation();
    setSpins((count) => count + 1);
  };
  return (
    <g class="ghost" transform={`translate(${x * SIDE} ${y * SIDE})`}>
      <Hot at={at ?? cell} {...touching}>
        {tile ? <Face tile={tile} turns={Number(at?.slice(5) ?? 0)} /> : <Ship seat={seat} />}
        <rect class="edge" width={SIDE} height={SIDE} rx={3} />
      </Hot>
      {turns.length > 1 && (
        <g class="spin" role="button" tabIndex={0} aria-label="Turn the tile (R)" transform={`translate(${SIDE} 0)`} onClick={spin}>
          <circle r={20} />
          <path d="M9-5A10 10 0 1 0 10 3M10-11v7h-7" />
        </g>
      )}
    </g>
  );
}
