import type { canarias } from "skerry-client";
import type { JSX } from "preact";
import { SelectableCard, type SelectionControl } from "../../selectable.js";
import { hueOf, PieceIcon, wishOf, WishIcon } from "./symbols.js";

/** Returns the text of a card for screen readers. */
export function spoken({ occupation, english, colour, priorities }: canarias.Card): string {
  if (!occupation) return `pirate, robs the owner of the ${hueOf(colour)} privilege`;
  const wishes = priorities.map(wishOf).join(", then ");
  return `${occupation} (${english}), ${hueOf(colour)} house, wants to live next to ${wishes}`;
}

/** The face of a card: the colour of its house, and the features it wants to live next to, most wanted first. */
export function Face({ card }: { card: canarias.Card }): JSX.Element {
  const hue = hueOf(card.colour);
  if (!card.occupation) {
    return (
      <>
        <svg class={`pirate ${hue}`} viewBox="-22 -20 44 40" aria-hidden="true">
          <path class="walls" d="M-14 18V-18M-14-17Q-2-22 4-16T18-16V6Q8 12 2 6T-14 7" />
          <path class="bones" d="M-6-12 10 2M-6 2 10-12" />
        </svg>
        <strong>pirate</strong>
        <span class="does small">robs the {hue} owner</span>
      </>
    );
  }
  return (
    <>
      <PieceIcon kind="house" hue={hue} />
      <strong>{card.occupation}</strong>
      <span class="does small">{card.english}</span>
      <span class="wishes">
        {card.priorities.map((feature) => (
          <WishIcon key={feature} wish={wishOf(feature)} />
        ))}
      </span>
    </>
  );
}

interface HandProps {
  cards: readonly canarias.Card[];
  control: SelectionControl;
}

/** The viewer's hand. */
export function Hand({ cards, control }: HandProps): JSX.Element {
  return (
    <div class="hand canarias-hand" tabIndex={0} role="group" aria-label="Your cards">
      {cards.map((card, place) => (
        <SelectableCard key={`${card.id}/${place}`} target={`hand:${card.id}`} class="settler" label={spoken(card)} {...control}>
          <Face card={card} />
        </SelectableCard>
      ))}
    </div>
  );
}
