import type { kreta } from "skerry-client";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Selectable, SelectableCard, type SelectionControl } from "../../selectable.js";
import { seatColour, SeatMarkAt } from "../../seatMarks.js";
import { at, usePieceKeys } from "../pieceKeys.js";
import type { BoardProps } from "../ui.js";
import { Hand } from "./Cards.js";
import { middle, outline, quay } from "./geometry.js";

type Props = BoardProps<kreta.Board, kreta.View>;

/** The radius of a fort's touch area. The areas of the two nearest forts do not cover each other. */
const REACH = 30;

/** The map of Crete: provinces, harbours and fort spaces, with all figures. */
export function KretaBoard({ board, view, seat, selection, onSelect }: Props): JSX.Element {
  const control = { selection, onSelect };
  const own = seat === undefined ? undefined : view.seats[seat];
  return (
    <>
      <FortRow board={board} view={view} control={control} />
      <div class="sheet" tabIndex={0} role="group" aria-label="The map">
        <svg class="picture kreta" viewBox={`-46 -46 ${board.width + 92} ${board.height + 92}`} role="group" aria-label="Map of Crete">
          <rect class="water" x={-46} y={-46} width={board.width + 92} height={board.height + 92} rx={10} />
          {board.provinces.map((province) => (
            <polygon key={province.id} class="shallows" points={outline(province.polygon)} />
          ))}
          {board.provinces.map((province, place) => (
            <Land key={province.id} province={province} state={view.provinces[place]!} control={control} isNext={isNext(board, view, province.id)} />
          ))}
          <Quays board={board} />
          <Forts board={board} view={view} control={control} />
          {board.provinces.map((province, place) => (
            <ProvinceName key={province.id} province={province} state={view.provinces[place]!} />
          ))}
          <Figures board={board} view={view} />
        </svg>
      </div>
      {own && <Hand state={own} control={control} />}
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
  control: SelectionControl;
  isNext: boolean;
}

function Land({ province, state, control, isNext: next }: LandProps): JSX.Element {
  const terrain = province.terrain.replace("TERRAIN_", "").toLowerCase();
  return (
    <Selectable target={`province:${province.id}`} class={`land ${terrain} ${next ? "next" : ""}`} {...control}>
      <title>{`${province.name}: ${terrain}, worth ${province.value}; ${state.figures} of 7 figures`}</title>
      <polygon points={outline(province.polygon)} />
    </Selectable>
  );
}

const TILES: Readonly<Record<string, { name: string; drawing: string }>> = {
  TILE_WHEAT: { name: "wheat", drawing: "M0 8V-6M0-2q-5 0-5-5 5 0 5 5zM0-2q5 0 5-5-5 0-5 5zM0 4q-5 0-5-5 5 0 5 5zM0 4q5 0 5-5-5 0-5 5z" },
  TILE_OLIVE: { name: "olives", drawing: "M-7 5Q0-2 7-7M-3-1a3 4 0 1 0 .1 0zM3 1a3 4 0 1 0 .1 0z" },
  TILE_WINE: { name: "wine", drawing: "M-5-7H5Q5 1 0 1T-5-7zM0 1v6M-4 7h8" },
  TILE_THYME: { name: "thyme", drawing: "M0 8V-7M0-5l5-3M0-5l-5-3M0 0l6-3M0 0l-6-3M0 5l6-3M0 5l-6-3" },
  TILE_CHEESE: { name: "cheese", drawing: "M-8 3 7-6V5H-8zM-8 1 7 0" },
};

function ProvinceName({ province, state }: { province: kreta.Province; state: kreta.ProvinceState }): JSX.Element {
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

function Forts({ board, view, control }: { board: kreta.Board; view: kreta.View; control: SelectionControl }): JSX.Element {
  const owners = new Map(view.forts.map(({ space, seat }) => [space, seat]));
  return (
    <>
      {board.fortSpaces.map(({ number, at: { x, y } }) => {
        const owner = owners.get(number);
        const upcoming = view.fortRow.includes(number) ? "upcoming" : "";
        const scored = view.scoredForts.includes(number) ? "scored" : "";
        return (
          <Selectable key={number} target={`fort:${number}`} class={`fort ${upcoming} ${scored}`} transform={`translate(${x} ${y})`} {...control}>
            <rect class="reach" x={-REACH} y={-REACH} width={2 * REACH} height={2 * REACH} rx={REACH} />
            <circle r={11} />
            {owner === undefined ? (
              <text class="figures" y={4}>
                {number}
              </text>
            ) : (
              <>
                <path class="tower" style={{ fill: seatColour(owner) }} d="M-13 12V-12h6v5h4v-5h6v5h4v-5h6v24z" />
                <SeatMarkAt seat={owner} x={0} y={4} size={11} />
              </>
            )}
          </Selectable>
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

/** Returns all figures with their positions: in rows below the province's name, and ships on the water. */
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
  const figures = usePieceKeys(figuresOf(board, view));
  return (
    <g class="figures-on-board">
      {[...figures]
        .sort((one, other) => one.id.localeCompare(other.id))
        .map(({ id, shape, seat, x, y }) => (
          <g key={id} class="piece" style={at(x, y)}>
            <path style={{ fill: seatColour(seat) }} d={SHAPES[shape]} />
            <SeatMarkAt seat={seat} x={0} y={5} size={8} />
          </g>
        ))}
    </g>
  );
}

/** The face-up fort cards, in the order in which they are scored, and the number of cards still to come. */
function FortRow({ board, view, control }: { board: kreta.Board; view: kreta.View; control: SelectionControl }): JSX.Element {
  const names = new Map(board.provinces.map(({ id, name }) => [id, name]));
  return (
    <div class="strip" tabIndex={0} role="group" aria-label="Fort cards">
      {view.fortRow.map((number, place) => {
        const space = board.fortSpaces.find((one) => one.number === number);
        const provinces = (space?.provinces ?? []).map((id) => names.get(id)).join(", ");
        const when = place ? "later" : "scored next";
        return (
          <SelectableCard key={number} target={`fort-card:${number}`} class="fort-card" label={`Fort ${number}, ${when}: ${provinces}`} {...control}>
            <span class="small soft">{when}</span>
            <strong>Fort {number}</strong>
            <span class="small">{provinces}</span>
          </SelectableCard>
        );
      })}
      <p class="soft small">
        {view.scoringsDone} of 11 scorings done · {view.faceDown} cards face down · {view.pile} in the pile
      </p>
    </div>
  );
}
