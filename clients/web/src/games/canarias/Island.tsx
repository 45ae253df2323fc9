import type { canarias } from "skerry-client";
import type { JSX } from "preact";
import { Selectable, type SelectionControl } from "../../selectable.js";
import { at, usePieceKeys } from "../pieceKeys.js";
import { boundsOf, landOf, lineOf, middleOf, peaksOf, SIDE } from "./geometry.js";
import { hueOf, kindOf, LandAt, PieceAt, wishOf } from "./symbols.js";

interface IslandProps {
  island: canarias.Island;
  /** The label for screen readers. */
  label: string;
  /** The target that selects the whole island. */
  target: string;
  buildings: readonly canarias.Building[];
  control: SelectionControl;
  /** The building to place, while the acting seat chooses a square on this island. */
  ghost?: { kind: string; hue: string } | undefined;
  /** Whether it is the viewer's island: its squares are named and selectable. */
  isOwn?: boolean;
  /** The squares of the houses that become a palace or a town. */
  material?: readonly string[];
}

/** An island with its buildings. */
export function Island(props: IslandProps): JSX.Element {
  const { island, label, target, control, isOwn } = props;
  return (
    <svg class="picture island" viewBox={boundsOf(island)} role="group" aria-label={label}>
      <Selectable target={target} class="whole" {...control}>
        <Ground island={island} />
        {!isOwn && <Lines borders={island.borders} />}
      </Selectable>
      {isOwn && <Plots {...props} />}
      {isOwn && <Lines borders={island.borders} />}
      <Buildings {...props} />
    </svg>
  );
}

/** Land, shallows, plots, village and farmland. */
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
      <GameAssets squares={island.village} land="village" />
      <GameAssets squares={island.farmland} land="farmland" />
    </>
  );
}

function GameAssets({ squares, land }: { squares: readonly string[]; land: string }): JSX.Element {
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

/** Coast, river, road and mountains, each with its own line style. */
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

/** The building squares with their names, and a ghost of the building where it can be placed. */
function Plots({ island, control, ghost, material = [] }: IslandProps): JSX.Element {
  return (
    <>
      {island.squares.map((square) => {
        const { x, y } = middleOf(square);
        const isMaterial = material.includes(square) ? "material" : "";
        return (
          <Selectable key={square} target={`square:${square}`} class={`square ${isMaterial}`} transform={`translate(${x} ${y})`} {...control}>
            <rect x={4 - SIDE / 2} y={4 - SIDE / 2} width={SIDE - 8} height={SIDE - 8} rx={5} />
            {ghost && isOffered(control, `square:${square}`) && (
              <g class="ghost">
                <PieceAt {...ghost} />
              </g>
            )}
          </Selectable>
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

/** Whether an element can be selected, or is selected. */
function isOffered({ selection }: SelectionControl, name: string): boolean {
  return selection.next.has(name) || selection.targets.includes(name);
}

function Buildings({ buildings, island }: IslandProps): JSX.Element {
  const pieces = usePieceKeys(
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
