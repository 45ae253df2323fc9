import type { kreta } from "skerry-client";
import type { JSX } from "preact";
import { SelectableCard, type SelectionControl } from "../../selectable.js";

/** Each card's name, effect, and picture (32 wide and high). */
export const CARDS: Readonly<Record<string, { name: string; does: string; drawing: string }>> = {
  CARD_KING: { name: "king", does: "acts as a card you have played", drawing: "M6 24V10l6 6 4-9 4 9 6-6v14zM6 27h20" },
  CARD_ARCHITECT: { name: "architect", does: "builds a fort or a village", drawing: "M5 27V14h5v3h3v-3h6v3h3v-3h5v13zM14 27v-6h4v6M16 14V6l6 2-6 2" },
  CARD_ADMIRAL: { name: "admiral", does: "places a ship, or sails", drawing: "M16 5v17M16 6q9 3 8 13h-8M4 22h24l-4 6H8z" },
  CARD_COMMANDER: { name: "commander", does: "places a villager, or marches", drawing: "M16 5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 1 1 0-9zM8 28q0-13 8-13t8 13z" },
  CARD_CASTELLAN: { name: "castellan", does: "scores the next fort", drawing: "M7 28V9h4v3h3V9h4v3h3V9h4v19zM13 28v-6q3-4 6 0v6" },
  CARD_ABBOT: { name: "abbot", does: "keeps others out of a province", drawing: "M16 4v9M12 8h8M9 28q0-14 7-14t7 14z" },
  CARD_FARMER: { name: "farmer", does: "harvests a tile", drawing: "M16 28V10M16 14q-7 0-7-7 7 0 7 7zM16 14q7 0 7-7-7 0-7 7zM16 22q-7 0-7-7 7 0 7 7zM16 22q7 0 7-7-7 0-7 7z" },
};

/** A card's picture and name. */
function Face({ card }: { card: string }): JSX.Element {
  const { name, does, drawing } = CARDS[card] ?? { name: card, does: "", drawing: "" };
  return (
    <>
      <svg viewBox="0 0 32 32" class="icon" aria-hidden="true">
        <path d={drawing} />
      </svg>
      <strong>{name}</strong>
      <span class="does small">{does}</span>
    </>
  );
}

/** The cards of one seat: its hand, then the cards it has played, which the king can act as. */
export function Hand({ state, control }: { state: kreta.SeatState; control: SelectionControl }): JSX.Element {
  return (
    <div class="hand" tabIndex={0} role="group" aria-label="Your cards">
      {state.hand.map((card) => (
        <SelectableCard key={card} target={`hand:${card}`} label={`${CARDS[card]?.name}: ${CARDS[card]?.does}`} {...control}>
          <Face card={card} />
        </SelectableCard>
      ))}
      {state.table.map((card) => (
        <SelectableCard key={card} target={`table:${card}`} class="used" label={`${CARDS[card]?.name}, on the table`} {...control}>
          <Face card={card} />
        </SelectableCard>
      ))}
    </div>
  );
}
