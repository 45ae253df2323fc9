import type { kreta } from "skerry-client";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Hot, HotCard, type Touching } from "../../hot.js";
import { colourOf, MarkAt } from "../../marks.js";
import { at, useKeys } from "../pieces.js";
import type { BoardProps } from "../ui.js";
import { Hand } from "./Cards.js";
import { middle, outline, quay } from "./geometry.js";

type Props = BoardProps<kreta.Board, kreta.View>;

/** How far from its middle a fort space is touched: of the nearest two, neither reaches over the other. */
const REACH = 30;

/** The chart of old Crete: provinces, harbours and fort spaces, and everybody's figures on them. */
export function KretaBoard({ board, view, seat, choice, onTouch }: Props): JSX.Element {
  const touching = { choice, onTouch };
  const own = seat === undefined ? undefined : view.seats[seat];
  return (
    <>
      <FortRow board={board} view={view} touching={touching} />
      <div class="sheet" tabIndex={0} role="group" aria-label="The map">
        <svg class="picture kreta" viewBox={`-46 -46 ${board.width + 92} ${board.height + 92}`} role="group" aria-label="Map of Crete">
          <rect class="water" x={-46} y={-46} width={board.width + 92} height={board.height + 92} rx={10} />
          {board.provinces.map((province) => (
            <polygon key={province.id} class="shallows" points={outline(province.polygon)} />
          ))}
          {board.provinces.map((province, place) => (
            <Land key={province.id} province={province} state={view.provinces[place]!} touching={touching} isNext={isNext(board, view, province.id)} />
          ))}
          <Quays board={board} />
          <Forts board={board} view={view} touching={touching} />
          {board.provinces.map((province, place) => (
            <Name key={province.id} province={province} state={view.provinces[place]!} />
          ))}
          <Figures board={board} view={view} />
        </svg>
      </div>
      {own && <Hand state={own} touching={touching} />}
    </>
  );
}

/** Whether a province belongs to the fort that is scored next. */
function isNext(board: kreta.Board, view: kreta.View, id: string): boolean {
  const [number] = view.fortRow;
  return board.fortSpaces.find((space) => space.number === number)?.provinces.includes(id) ?? false;
}

interface LandProps {
  province: kreta.Province;
  state: kreta.ProvinceState;
  touching: Touching;
  isNext: boolean;
}

function Land({ province, state, touching, isNext: next }: LandProps): JSX.Element {
  const terrain = province.terrain.replace("TERRAIN_", "").toLowerCase();
  return (
    <Hot at={`province:${province.id}`} class={`land ${terrain} ${next ? "next" : ""}`} {...touching}>
      <title>{`${province.name}: ${terrain}, worth ${province.value}; ${state.figures} of 7 figures`}</title>
      <polygon points={outline(province.polygon)} />
    </Hot>
  );
}

const TILES: Readonly<Record<string, { name: string; drawing: string }>> = {
  TILE_WHEAT: { name: "wheat", drawing: "M0 8V-6M0-2q-5 0-5-5 5 0 5 5zM0-2q5 0 5-5-5 0-5 5zM0 4q-5 0-5-5 5 0 5 5zM0 4q5 0 5-5-5 0-5 5z" },
  TILE_OLIVE: { name: "olives", drawing: "M-7 5Q0-2 7-7M-3-1a3 4 0 1 0 .1 0zM3 1a3 4 0 1 0 .1 0z" },
  TILE_WINE: { name: "wine", drawing: "M-5-7H5Q5 1 0 1T-5-7zM0 1v6M-4 7h8" },
  TILE_THYME: { name: "thyme", drawing: "M0 8V-7M0-5l5-3M0-5l-5-3M0 0l6-3M0 0l-6-3M0 5l6-3M0 5l-6-3" },
  TILE_CHEESE: { name: "cheese", drawing: "M-8 3 7-6V5H-8zM-8 1 7 0" },
};

function Name({ province, state }: { province: kreta.Province; state: kreta.ProvinceState }): JSX.Element {
  const { x, y } = middle(province);
  const tile = state.tile && TILES[state.tile];
  return (
    <g class="title" transform={`translate(${x} ${y})`}>
      <text y={-12}>{province.name}</text>
      <g transform={`translate(${tile ? -13 : 0} 6)`}>
        <circle class="worth" r={10} />
        <text class="figures" y={5}>
          {province.value}
        </text>
      </g>
      {tile && (
        <g class="tile" transform="translate(13 6)">
          <title>{tile.name}</title>
          <rect x={-11} y={-11} width={22} height={22} rx={4} />
          <path d={tile.drawing} />
        </g>
      )}
    </g>
  );
}

function Quays({ board }: { board: kreta.Board }): JSX.Element {
  const quays = useMemo(() => board.provinces.filter(({ harbour }) => harbour).map((one) => quay(board, one)), [board]);
  return (
    <g class="quays">
      {quays.map(({ shore, water }) => (
        <line key={`${shore.x},${shore.y}`} x1={shore.x} y1={shore.y} x2={(shore.x + water.x) / 2} y2={(shore.y + water.y) / 2} />
      ))}
    </g>
  );
}

function Forts({ board, view, touching }: { board: kreta.Board; view: kreta.View; touching: Touching }): JSX.Element {
  const owners = new Map(view.forts.map(({ space, seat }) => [space, seat]));
  return (
    <>
      {board.fortSpaces.map(({ number, at: { x, y } }) => {
        const owner = owners.get(number);
        const upcoming = view.fortRow.includes(number) ? "upcoming" : "";
        const scored = view.scoredForts.includes(number) ? "scored" : "";
        return (
          <Hot key={number} at={`fort:${number}`} class={`fort ${upcoming} ${scored}`} transform={`translate(${x} ${y})`} {...touching}>
            <rect class="reach" x={-REACH} y={-REACH} width={2 * REACH} height={2 * REACH} rx={REACH} />
            <circle r={11} />
            {owner === undefined ? (
              <text class="figures" y={4}>
                {number}
              </text>
            ) : (
              <>
                <path class="tower" style={{ fill: colourOf(owner) }} d="M-13 12V-12h6v5h4v-5h6v5h4v-5h6v24z" />
                <MarkAt seat={owner} x={0} y={4} size={11} />
              </>
            )}
          </Hot>
        );
      })}
    </>
  );
}

interface Figure {
  kind: string;
  place: string;
  seat: number;
  shape: string;
  x: number;
  y: number;
}

const SHAPES: Readonly<Record<string, string>> = {
  villager: "M0-11a5 5 0 1 1 0 10 5 5 0 1 1 0-10zM-8 11Q-8-1 0-1T8 11z",
  village: "M-10 11V-1L0-10 10-1V11z",
  abbot: "M-1.5-17h3v3h3v3h-3v3Q8-7 9 11H-9Q-8-7-1.5-8v-3h-3v-3h3z",
  ship: "M-1-14Q10-10 9 2H-1zM-13 3H13L9 11H-9z",
};

/** Returns all figures, each where it is drawn: in rows below the name of its province, ships on the water. */
function figuresOf(board: kreta.Board, view: kreta.View): Figure[] {
  return board.provinces.flatMap((province, place) => {
    const state = view.provinces[place]!;
    const { x, y } = middle(province);
    const on = (shape: string, counts: readonly number[]): { shape: string; seat: number }[] =>
      counts.flatMap((count, seat) => Array.from({ length: count }, () => ({ shape, seat })));
    const standing = [
      ...on("village", state.villages),
      ...on("villager", state.villagers),
      ...state.abbots.map((seat) => ({ shape: "abbot", seat })),
    ];
    const perRow = standing.length > 4 ? 4 : standing.length;
    const figures = standing.map(({ shape, seat }, count) => ({
      ...{ shape, seat, kind: `${shape}-${seat}`, place: province.id },
      x: x + ((count % 4) - (perRow - 1) / 2) * 21,
      y: y + 30 + Math.floor(count / 4) * 24,
    }));
    const { water } = quay(board, province);
    const ships = state.ships.map((seat, count) => ({
      ...{ shape: "ship", seat, kind: `ship-${seat}`, place: province.id },
      x: water.x + (count - (state.ships.length - 1) / 2) * 26,
      y: water.y,
    }));
    return [...figures, ...ships];
  });
}

function Figures({ board, view }: { board: kreta.Board; view: kreta.View }): JSX.Element {
  const figures = useKeys(figuresOf(board, view));
  return (
    <g class="figures-on-board">
      {[...figures]
        .sort((one, other) => one.id.localeCompare(other.id))
        .map(({ id, shape, seat, x, y }) => (
          <g key={id} class="piece" style={at(x, y)}>
            <path style={{ fill: colourOf(seat) }} d={SHAPES[shape]} />
            <MarkAt seat={seat} x={0} y={5} size={8} />
          </g>
        ))}
    </g>
  );
}

/** The fort cards: those face up are scored from the left, the others are still to come. */
function FortRow({ board, view, touching }: { board: kreta.Board; view: kreta.View; touching: Touching }): JSX.Element {
  const names = new Map(board.provinces.map(({ id, name }) => [id, name]));
  return (
    <div class="strip" tabIndex={0} role="group" aria-label="Fort cards">
      {view.fortRow.map((number, place) => {
        const space = board.fortSpaces.find((one) => one.number === number);
        const provinces = (space?.provinces ?? []).map((id) => names.get(id)).join(", ");
        const when = place ? "later" : "scored next";
        return (
          <HotCard key={number} at={`fort-card:${number}`} class="fort-card" label={`Fort ${number}, ${when}: ${provinces}`} {...touching}>
            <span class="small soft">{when}</span>
            <strong>Fort {number}</strong>
            <span class="small">{provinces}</span>
          </HotCard>
        );
      })}
      <p class="soft small">
        {view.scoringsDone} of 11 scorings done · {view.faceDown} cards face down · {view.pile} in the pile
      </p>
    </div>
  );
}
