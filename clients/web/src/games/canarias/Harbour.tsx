import type { canarias } from "skerry-client";
import type { JSX } from "preact";
import { SelectableCard, type SelectionControl } from "../../selectable.js";
import { Face, spoken } from "./Cards.js";
import { BackIcon } from "./symbols.js";

interface HarbourProps {
  board: canarias.Board;
  view: canarias.View;
  names: readonly string[];
  cards: ReadonlyMap<string, canarias.Card>;
  control: SelectionControl;
}

/** The deck, the ship with its face-down cards, and the card that is being resolved. */
export function Harbour({ view, cards, control }: HarbourProps): JSX.Element {
  const now = view.card === undefined ? undefined : cards.get(view.card);
  return (
    <div class="harbour">
      <SelectableCard target="deck" class="pile" label={`${view.deck} in the deck, face down; ${view.discard.length} used`} {...control}>
        <BackIcon />
        <strong class="figures">{view.deck}</strong>
        <span class="does small">in the deck</span>
      </SelectableCard>
      <Ship view={view} cards={cards} />
      {now && (
        <div class="now-card">
          <p class="small">{now.occupation ? "This settler looks for a home:" : "A pirate attacks:"}</p>
          <div class="card settler" role="img" aria-label={spoken(now)}>
            <Face card={now} />
          </div>
        </div>
      )}
    </div>
  );
}

function Ship({ view, cards }: Pick<HarbourProps, "view" | "cards">): JSX.Element {
  const own = view.aboard.map(({ card }) => cards.get(card)).filter((card) => card !== undefined);
  const hidden = Math.max(0, view.ship - own.length);
  const ownCards = own.length ? `; ${view.phase === "PHASE_OVER" ? "it was" : "yours are"} ${own.map(spoken).join("; ")}` : "";
  return (
    <div class="ship">
      <p class="small">
        {view.round === undefined ? "Before the first round" : `Round ${view.round}`}
        {view.lastRound && <strong> · the last round</strong>}
      </p>
      <div class="deck-of-ship" role="img" aria-label={`On the ship: ${view.ship} cards face down${ownCards}`}>
        <svg class="hull" viewBox="0 0 240 96" aria-hidden="true" preserveAspectRatio="none">
          <path d="M4 44H236Q226 92 190 92H50Q14 92 4 44Z" />
        </svg>
        <span class="cargo">
          {Array.from({ length: hidden }, (_, place) => (
            <BackIcon key={place} />
          ))}
          {own.map((card, place) => (
            <span key={`${card.id}/${place}`} class="known small">
              {card.occupation ?? "pirate"}
            </span>
          ))}
        </span>
      </div>
      <p class="small soft">{shipSays(view)}</p>
    </div>
  );
}

function shipSays({ phase, ship, round, turn }: canarias.View): string {
  const cards = `${ship} ${ship === 1 ? "card" : "cards"} aboard`;
  if (phase === "PHASE_OVER") return "The game is over.";
  if (round === undefined) return "The ship waits.";
  if (turn === undefined) return `${cards}. The ship has arrived. All but one of its cards come ashore.`;
  return `${cards}. The ship arrives when every player has loaded a card.`;
}
