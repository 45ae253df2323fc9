import type { canarias } from "skerry-client";
import type { JSX } from "preact";
import type { SelectionControl } from "../../selectable.js";
import { SeatMark } from "../../seatMarks.js";
import type { BoardProps } from "../ui.js";
import { Hand } from "./Cards.js";
import { Harbour } from "./Harbour.js";
import { Island } from "./Island.js";
import { Privileges } from "./Privileges.js";
import { hueOf, kindOf, LAND_NAMES, PieceIcon, WishIcon } from "./symbols.js";
import "./canarias.css";

type Props = BoardProps<canarias.Board, canarias.View, canarias.Event>;

/** The table of Islas Canarias: the ship and the deck, the privileges, all islands, and the viewer's hand. */
export function CanariasBoard(props: Props): JSX.Element {
  const { board, view, names, selection, onSelect } = props;
  const control = { selection, onSelect };
  const cards = new Map(board.cards.map((card) => [card.id, card]));
  return (
    <div class="canarias">
      <Harbour board={board} view={view} names={names} cards={cards} control={control} />
      {view.phase === "PHASE_TAKE_ISLAND" && <Untaken board={board} view={view} control={control} />}
      <Islands {...props} />
      {view.hand.length > 0 && <Hand cards={known(view.hand, cards)} control={control} />}
      <Privileges board={board} view={view} names={names} control={control} />
      <Legend />
    </div>
  );
}

/** Returns cards by their ids. */
function known(ids: readonly string[], cards: ReadonlyMap<string, canarias.Card>): canarias.Card[] {
  return ids.map((id) => cards.get(id)).filter((card) => card !== undefined);
}

/** The islands that can still be taken. */
function Untaken({ board, view, control }: { board: canarias.Board; view: canarias.View; control: SelectionControl }): JSX.Element {
  const targets = new Set(view.seats.map(({ island }) => island));
  return (
    <div class="islands untaken">
      {board.islands
        .filter(({ id }) => !targets.has(id))
        .map((island) => (
          <figure key={island.id}>
            <figcaption>Island {island.id}</figcaption>
            <Island island={island} target={`island:${island.id}`} label={`Island ${island.id}, free`} buildings={[]} control={control} />
          </figure>
        ))}
    </div>
  );
}

/** The islands of all seats. The viewer's island is first and larger. */
function Islands({ board, view, seat, names, selection, onSelect }: Props): JSX.Element {
  const order = view.seats.map((_, place) => (place + (seat ?? 0)) % view.seats.length);
  const hasOwn = seat !== undefined && view.seats[seat]?.island !== undefined;
  return (
    <div class={hasOwn ? "islands mine" : "islands"}>
      {order.map((one) => {
        const state = view.seats[one]!;
        const island = board.islands.find(({ id }) => id === state.island);
        if (!island) return null;
        const isOwn = one === seat;
        const standing = state.buildings.map(({ square, piece, colour }) => `${hueOf(colour)} ${kindOf(piece)} on ${square}`);
        return (
          <figure key={one} class={one === view.actingSeat ? "acting" : ""}>
            <Caption view={view} seat={one} name={isOwn ? "Your island" : (names[one] ?? "")} />
            <Island
              {...{ island, isOwn }}
              target={`seat:${one}`}
              label={`Island of ${names[one]}: ${standing.join(", ") || "nothing built"}`}
              buildings={state.buildings}
              control={{ selection, onSelect }}
              ghost={isOwn ? ghostOf(view) : undefined}
              material={isOwn ? view.material : []}
            />
          </figure>
        );
      })}
    </div>
  );
}

function Caption({ view, seat, name }: { view: canarias.View; seat: number; name: string }): JSX.Element {
  const begins = seat === view.startSeat;
  return (
    <figcaption>
      <SeatMark seat={seat} />
      <bdi class="name">{name}</bdi>
      {begins && <Beginner />}
    </figcaption>
  );
}

/** The marker of the start player, a ship. */
function Beginner(): JSX.Element {
  return (
    <svg class="beginner" viewBox="-2 -2 24 24" role="img" aria-label="starts the round">
      <title>starts the round</title>
      <path class="stroke" d="M10 0V13M10 1Q18 4 17 11H10M1 14H19L16 20H4Z" />
    </svg>
  );
}

/** Returns the building that is being placed. */
function ghostOf({ piece, colour }: canarias.View): { kind: string; hue: string } | undefined {
  return piece && colour && { kind: kindOf(piece), hue: hueOf(colour) };
}

/** The legend of land, buildings and cards. */
function Legend(): JSX.Element {
  return (
    <p class="legend small soft">
      <span>A settler builds a house of its colour next to the leftmost feature on its card that is available.</span>
      {LAND_NAMES.map((land) => (
        <span key={land}>
          <WishIcon wish={land} />
          {land}
        </span>
      ))}
      {["house", "palace", "town"].map((kind) => (
        <span key={kind}>
          <PieceIcon kind={kind} hue="beige" />
          {kind}
        </span>
      ))}
    </p>
  );
}
