import type { tenerife } from "skerry-client";
import type { JSX, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Selectable, type SelectionControl } from "../../selectable.js";
import type { BoardProps } from "../ui.js";
import { Column, Hand, LastRound } from "./Column.js";
import { Farmhand, Mansions, Merchants } from "./Mansions.js";
import { Storage, Transport } from "./Quay.js";
import { lastRevealed } from "./roundSummary.js";

type Props = BoardProps<tenerife.Board, tenerife.View, tenerife.Event>;

/** The width of land around places and roads, in SVG units. */
const LAND = 92;

/** The island with its towns and roads, the quay below it, the column of characters, and the viewer's hand. */
export function TenerifeBoard({ board, view, events, seat, names, selection, onSelect }: Props): JSX.Element {
  const control = { selection, onSelect };
  const revealed = lastRevealed(events);
  const top = 30;
  const bottom = Math.max(...board.storageSpaces.map(({ at }) => at.y), ...board.transport.map(({ y }) => y)) + 46;
  const box = `-50 ${top} ${board.width + 100} ${bottom - top}`;
  const sheet = useCentred(board, view);
  const own = seat === undefined ? undefined : view.seats[seat];
  return (
    <>
      <div class="sheet charted" tabIndex={0} role="group" aria-label="The map" ref={sheet}>
        <TownCards board={board} view={view} />
        <svg class="picture tenerife" viewBox={box} role="group" aria-label="Map of Tenerife">
          <rect class="water" x={-50} y={top} width={board.width + 100} height={bottom - top} />
          <Island board={board} class="shallows" grow={26} />
          <Island board={board} class="coast" grow={2} />
          <Island board={board} class="soil" grow={0} />
          <Roads board={board} />
          <Hall board={board} view={view} control={control} />
          {board.places.map((place) => (
            <Town key={place.id} place={place} view={view} control={control} />
          ))}
          <Storage board={board} view={view} control={control} />
          <Transport board={board} view={view} />
          <Mansions board={board} view={view} />
          <Merchants board={board} view={view} />
          <Farmhand board={board} view={view} />
        </svg>
      </div>
      <Column {...{ view, seat, names, control }} effects={revealed && !revealed.isOver ? revealed.effects : undefined} />
      {own && view.phase !== "PHASE_OVER" && <Hand state={own} seat={own.seat} control={control} />}
      {revealed?.isOver && <LastRound revealed={revealed} names={names} />}
    </>
  );
}

/** Scrolls a map that is too wide for the screen to the place of the current round. */
function useCentred(board: tenerife.Board, view: tenerife.View): RefObject<HTMLDivElement | null> {
  const sheet = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = board.places.find((one) => one.id === view.currentPlace);
    const { current } = sheet;
    if (!place || !current) return;
    current.scrollLeft = ((place.at.x + 50) / (board.width + 100)) * current.scrollWidth - current.clientWidth / 2;
  }, [board, view.currentPlace, view.phase]);
  return sheet;
}

/** The town of the current round, and the towns still to come. */
function TownCards({ board, view }: { board: tenerife.Board; view: tenerife.View }): JSX.Element {
  const placeName = (id: string | undefined): string => board.places.find((one) => one.id === id)?.name ?? "";
  const coming = view.undrawnTowns.map(placeName).join(", ");
  return (
    <p class="town-cards">
      {view.currentPlace && (
        <strong>
          Round {view.round}: {view.hallRound ? `the Town Hall in ${placeName(view.currentPlace)}` : placeName(view.currentPlace)}
        </strong>
      )}
      <span class="soft small">
        {coming
          ? `Still to come, in a hidden order: ${coming}. The Town Hall comes last.`
          : "All town cards have been drawn. Only the Town Hall is left."}
      </span>
    </p>
  );
}

/** The land around all places and roads, widened by `grow`. */
function Island({ board, class: name, grow }: { board: tenerife.Board; class: string; grow: number }): JSX.Element {
  const at = new Map(board.places.map((place) => [place.id, place.at]));
  const hall = hallBox(board, 34 + grow);
  return (
    <g class={name}>
      {board.roads.map(({ fromPlace, toPlace }) => {
        const [from, to] = [at.get(fromPlace)!, at.get(toPlace)!];
        const line = { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
        return <line key={fromPlace + toPlace} {...line} stroke-width={2 * (LAND - 16 + grow)} />;
      })}
      {board.places.map(({ id, at: { x, y } }) => (
        <circle key={id} cx={x} cy={y + 10} r={LAND + grow} />
      ))}
      <rect {...hall} height={hall.height + 60} rx={54 + grow} />
    </g>
  );
}

/** Returns a box around the plots of the Town Hall, with the margin `far`. */
function hallBox({ hallPlots }: tenerife.Board, far: number): { x: number; y: number; width: number; height: number } {
  const [xs, ys] = [hallPlots.map(({ at }) => at.x), hallPlots.map(({ at }) => at.y)];
  const [x, y] = [Math.min(...xs) - far, Math.min(...ys) - far];
  return { x, y, width: Math.max(...xs) + far - x, height: Math.max(...ys) + far - y };
}

function Roads({ board }: { board: tenerife.Board }): JSX.Element {
  const at = new Map(board.places.map((place) => [place.id, place.at]));
  return (
    <g class="roads">
      {board.roads.map(({ fromPlace, toPlace }) => {
        const [from, to] = [at.get(fromPlace)!, at.get(toPlace)!];
        return <line key={fromPlace + toPlace} x1={from.x} y1={from.y} x2={to.x} y2={to.y} />;
      })}
    </g>
  );
}

/** Returns the approximate width of a name. */
function widthOf(name: string): number {
  return name.length * 9.4 + 18;
}

function Town({ place, view, control }: { place: tenerife.Place; view: tenerife.View; control: SelectionControl }): JSX.Element {
  const state = view.towns.find(({ town }) => town === place.id);
  const isCurrent = view.currentPlace === place.id;
  const { x, y } = place.at;
  const width = widthOf(place.name);
  const built = state ? `${state.mansions.length} of ${place.plots.length} plots taken` : "with the Town Hall";
  return (
    <Selectable target={`place:${place.id}`} class={isCurrent ? "town current" : "town"} {...control}>
      <title>{`${place.name}: ${built}${state?.farmersSymbol ? ", with a farmer's symbol" : ""}`}</title>
      <circle class="reach" cx={x} cy={y} r={34} />
      <circle class="centre" cx={x} cy={y} r={8} />
      {place.plots.map((plot) => (
        <rect key={plot.x} class="plot" x={plot.x - 12} y={plot.y - 12} width={24} height={24} rx={2} />
      ))}
      <g class="name" transform={`translate(${x} ${y - 32})`}>
        <g class="label">
          <rect x={-width / 2} y={-17} width={width} height={24} rx={4} />
          <text>{place.name}</text>
          {state?.farmersSymbol && <FarmersSymbol x={-width / 2 - (isCurrent ? 14 : 8)} />}
        </g>
      </g>
    </Selectable>
  );
}

/** An ear of corn, beside the name of a town where farmers have an effect. */
function FarmersSymbol({ x }: { x: number }): JSX.Element {
  const ear = "M0 11V-9M0-6q-6 0-6-6 6 0 6 6zM0-6q6 0 6-6-6 0-6 6zM0 3q-6 0-6-6 6 0 6 6zM0 3q6 0 6-6-6 0-6 6z";
  return <path class="symbol" transform={`translate(${x} -4)`} d={ear} />;
}

/** The Town Hall and its plots. */
function Hall({ board, view, control }: { board: tenerife.Board; view: tenerife.View; control: SelectionControl }): JSX.Element {
  const { x: left, y: top, width, height } = hallBox(board, 26);
  return (
    <g class="hall">
      <path class="walls" d={`M${left} ${top + height}v${26 - height}l${width / 2}-44 ${width / 2} 44v${height - 26}z`} />
      {board.hallPlots.map(({ number, at: { x, y } }) => {
        const { closed, seat } = view.hall[number - 1]!;
        return (
          <Selectable key={number} target={`plot:${number}`} class={closed ? "closed" : ""} {...control}>
            <title>{`Plot ${number} of the Town Hall${closed ? ", closed in this game" : ""}`}</title>
            <rect class="plot" x={x - 17} y={y - 17} width={34} height={34} rx={3} />
            {seat === undefined && (
              <text x={x} y={y + 5}>
                {closed ? "×" : number}
              </text>
            )}
          </Selectable>
        );
      })}
    </g>
  );
}
