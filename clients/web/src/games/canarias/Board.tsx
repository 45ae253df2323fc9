import type { canarias } from "skerry-client";
import type { JSX } from "preact";
import type { Touching } from "../../hot.js";
import { Mark } from "../../marks.js";
import type { BoardProps } from "../ui.js";
import { Hand } from "./Cards.js";
import { Harbour } from "./Harbour.js";
import { Island } from "./Island.js";
import { Privileges } from "./Privileges.js";
import { hueOf, kindOf, LAND_NAMES, PieceIcon, WishIcon } from "./symbols.js";
import "./canarias.css";

type Props = BoardProps<canarias.Board, canarias.View, canarias.Event>;

/** The table of the Canaries: the ship and the deck, the privileges, everybody's island, and one's own hand. */
export function CanariasBoard(props: Props): JSX.Element {
  const { board, view, names, choice, onTouch } = props;
  const touching = { choice, onTouch };
  const cards = new Map(board.cards.map((card) => [card.id, card]));
  return (
    <div class="canarias">
      <Harbour board={board} view={view} names={names} cards={cards} touching={touching} />
      {view.phase === "PHASE_TAKE_ISLAND" && <Untaken board={board} view={view} touching={touching} />}
      <Islands {...props} />
      {view.hand.length > 0 && <Hand cards={known(view.hand, cards)} touching={touching} />}
      <Privileges board={board} view={view} names={names} touching={touching} />
      <Legend />
    </div>
  );
}

/** Returns cards by their ids. */
function known(ids: readonly string[], cards: ReadonlyMap<string, canarias.Card>): canarias.Card[] {
  return ids.map((id) => cards.get(id)).filter((card) => card !== undefined);
}

/** The islands that can still be taken. */
function Untaken({ board, view, touching }: { board: canarias.Board; view: canarias.View; touching: Touching }): JSX.Element {
  const taken = new Set(view.seats.map(({ island }) => island));
  return (
    <div class="islands untaken">
      {board.islands
        .filter(({ id }) => !taken.has(id))
        .map((island) => (
          <figure key={island.id}>
            <figcaption>Island {island.id}</figcaption>
            <Island island={island} at={`island:${island.id}`} label={`Island ${island.id}, free`} buildings={[]} touching={touching} />
          </figure>
        ))}
    </div>
  );
}

/** Everybody's island, the viewer's first and larger. */
function Islands({ board, view, seat, names, choice, onTouch }: Props): JSX.Element {
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
              at={`seat:${one}`}
              label={`Island of ${names[one]}: ${standing.join(", ") || "nothing built"}`}
              buildings={state.buildings}
              touching={{ choice, onTouch }}
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
      <Mark seat={seat} />
      <bdi class="name">{name}</bdi>
      {begins && <Beginner />}
    </figcaption>
  );
}

/** The start player's ship: it says who starts the round. */
function Beginner(): JSX.Element {
  return (
    <svg class="beginner" viewBox="-2 -2 24 24" role="img" aria-label="starts the round">
      <title>starts the round</title>
      <path class="stroke" d="M10 0V13M10 1Q18 4 17 11H10M1 14H19L16 20H4Z" />
    </svg>
  );
}

/** What is being placed. */
function ghostOf({ piece, colour }: canarias.View): { kind: string; hue: string } | undefined {
  return piece && colour && { kind: kindOf(piece), hue: hueOf(colour) };
}

/** What the symbols of the land, of the pieces and of the cards mean. */
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
