import type { canarias } from "skerry-client";
import type { JSX } from "preact";
import { Hot, type Touching } from "../../hot.js";
import { at, useKeys } from "../pieces.js";
import { boundsOf, landOf, lineOf, middleOf, peaksOf, SIDE } from "./geometry.js";
import { hueOf, kindOf, LandAt, PieceAt, wishOf } from "./symbols.js";

interface IslandProps {
  island: canarias.Island;
  /** What a screen reader calls it. */
  label: string;
  /** The name of the whole island in the ways. */
  at: string;
  buildings: readonly canarias.Building[];
  touching: Touching;
  /** What is being placed here, if the acting seat chooses its square on this island. */
  ghost?: { kind: string; hue: string } | undefined;
  /** Whether its squares are named and can be touched. */
  isOwn?: boolean;
  /** The squares of the houses that are being turned into a palace or a town. */
  material?: readonly string[];
}

/** An island in the sea, with what stands on it. */
export function Island(props: IslandProps): JSX.Element {
  const { island, label, at: whole, touching, isOwn } = props;
  return (
    <svg class="picture island" viewBox={boundsOf(island)} role="group" aria-label={label}>
      <Hot at={whole} class="whole" {...touching}>
        <Ground island={island} />
        {!isOwn && <Lines borders={island.borders} />}
      </Hot>
      {isOwn && <Plots {...props} />}
      {isOwn && <Lines borders={island.borders} />}
      <Buildings {...props} />
    </svg>
  );
}

/** Land and the shallows around it, plots, village and farmland. */
function Ground({ island }: { island: canarias.Island }): JSX.Element {
  const corner = (square: string): { x: number; y: number } => {
    const { x, y } = middleOf(square);
    return { x: x - SIDE / 2, y: y - SIDE / 2 };
  };
  return (
    <>
      {landOf(island).map((square) => (
        <rect key={square} class="shallows" {...corner(square)} width={SIDE} height={SIDE} />
      ))}
      {landOf(island).map((square) => (
        <rect key={square} class="ground" {...corner(square)} width={SIDE} height={SIDE} />
      ))}
      {island.squares.map((square) => {
        const { x, y } = corner(square);
        return <rect key={square} class="plot" x={x + 6} y={y + 6} width={SIDE - 12} height={SIDE - 12} rx={4} />;
      })}
      <Printed squares={island.village} land="village" />
      <Printed squares={island.farmland} land="farmland" />
    </>
  );
}

function Printed({ squares, land }: { squares: readonly string[]; land: string }): JSX.Element {
  return (
    <>
      {squares.map((square) => {
        const { x, y } = middleOf(square);
        return (
          <g key={square} class={`printed ${land}`} transform={`translate(${x} ${y})`}>
            <rect x={-SIDE / 2} y={-SIDE / 2} width={SIDE} height={SIDE} />
            {[-11, 11].map((aside) => (
              <g key={aside} transform={`translate(${aside} ${aside / 4})`}>
                <LandAt land={land} />
              </g>
            ))}
          </g>
        );
      })}
    </>
  );
}

/** Coast, river, road and mountains, each a line of its own kind. */
function Lines({ borders }: { borders: readonly canarias.Border[] }): JSX.Element {
  return (
    <g class="lines">
      {borders.map((border, place) => {
        const kind = wishOf(border.feature);
        if (kind === "mountain") return <Peaks key={place} border={border} />;
        return (
          <g key={place} class={`line ${kind}`}>
            <path class="bed" d={lineOf(border)} />
            <path class="trace" d={lineOf(border)} />
          </g>
        );
      })}
    </g>
  );
}

function Peaks({ border }: { border: canarias.Border }): JSX.Element {
  return (
    <>
      {peaksOf(border).map(({ x, y }) => (
        <path key={`${x},${y}`} class="peak" d={`M${x - 8} ${y + 6}L${x} ${y - 9}L${x + 8} ${y + 6}Z`} />
      ))}
    </>
  );
}

/** The squares that are built on, by name, with a ghost of the piece where it can be placed. */
function Plots({ island, touching, ghost, material = [] }: IslandProps): JSX.Element {
  return (
    <>
      {island.squares.map((square) => {
        const { x, y } = middleOf(square);
        const isMaterial = material.includes(square) ? "material" : "";
        return (
          <Hot key={square} at={`square:${square}`} class={`square ${isMaterial}`} transform={`translate(${x} ${y})`} {...touching}>
            <rect x={4 - SIDE / 2} y={4 - SIDE / 2} width={SIDE - 8} height={SIDE - 8} rx={5} />
            {ghost && isOffered(touching, `square:${square}`) && (
              <g class="ghost">
                <PieceAt {...ghost} />
              </g>
            )}
          </Hot>
        );
      })}
      {island.squares.map((square) => (
        <text key={square} class="coordinate" x={middleOf(square).x - 10} y={middleOf(square).y - 9}>
          {square}
        </text>
      ))}
    </>
  );
}

/** Whether an element can be chosen, or has been. */
function isOffered({ choice }: Touching, name: string): boolean {
  return choice.next.has(name) || choice.taken.includes(name);
}

function Buildings({ buildings, island }: IslandProps): JSX.Element {
  const pieces = useKeys(
    buildings.map(({ square, piece, colour }) => ({
      ...{ kind: `${island.id}/${piece}/${colour}`, place: square },
      shape: kindOf(piece),
      hue: hueOf(colour),
    })),
  );
  return (
    <g class="buildings">
      {[...pieces]
        .sort((one, other) => one.id.localeCompare(other.id))
        .map(({ id, place, shape, hue }) => {
          const { x, y } = middleOf(place);
          return (
            <g key={id} class="piece" style={at(x, y + 2)}>
              <title>{`${hue} ${shape} on ${place}`}</title>
              <g class="arriving">
                <PieceAt kind={shape} hue={hue} />
              </g>
            </g>
          );
        })}
    </g>
  );
}
