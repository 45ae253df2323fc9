import type { tenerife } from "skerry-client";
import type { JSX } from "preact";
import { SelectableCard, type SelectionControl } from "../../selectable.js";
import { SeatMark } from "../../seatMarks.js";
import { Back, cardName, Picture, printedOn } from "./characters.js";
import type { Effect, Revealed } from "./roundSummary.js";

interface ColumnProps {
  view: tenerife.View;
  /** The viewer's seat. */
  seat: number | undefined;
  names: readonly string[];
  /** The effects of the characters, by space. Absent while the cards are face down. */
  effects: ReadonlyMap<number, Effect> | undefined;
  control: SelectionControl;
}

/** The column of characters. They are face down until the column is full, and then act one after the other. */
export function Column({ view, seat, names, effects, control }: ColumnProps): JSX.Element {
  const isRevealed = view.column.every((space) => space.seat !== undefined && space.character);
  return (
    <div class="column" role="group" aria-label="Column of characters. They act in order, from space 1.">
      {view.column.map((space) => {
        const state = { space, isRevealed, isActive: view.activeSpace === space.space, effect: effects?.get(space.space) };
        return (
          <SelectableCard
            key={space.space}
            target={`space:${space.space}`}
            class={`space ${space.seat === undefined ? "vacant" : ""} ${state.isActive ? "active" : ""}`}
            label={describeSpace(space, names, isRevealed ? state.effect?.short : undefined)}
            {...control}
          >
            <Face {...state} isOwn={space.seat === seat} />
          </SelectableCard>
        );
      })}
    </div>
  );
}

/** Returns a space in words. */
function describeSpace(state: tenerife.SpaceState, names: readonly string[], effect: string | undefined): string {
  const { space, seat, character, colour } = state;
  if (seat === undefined) return `Space ${space}: empty`;
  const card = character ? cardName({ character, colour: colour ?? "COLOUR_OWN" }) : "face-down card";
  return `Space ${space}: ${card} of ${names[seat]}${effect ? `, ${effect}` : ""}`;
}

interface FaceProps {
  space: tenerife.SpaceState;
  isRevealed: boolean;
  isOwn: boolean;
  effect: Effect | undefined;
}

function Face({ space: { space, seat, character, colour }, isRevealed, isOwn, effect }: FaceProps): JSX.Element {
  const number = <span class="number figures">{space}</span>;
  if (seat === undefined) return number;
  if (!character) {
    return (
      <>
        {number}
        <Back seat={seat} colour={colour} />
      </>
    );
  }
  return (
    <>
      {number}
      <span class={isRevealed ? "turned" : "peeked"} style={{ animationDelay: `${space * 50}ms` }}>
        <Picture character={character} />
        <strong class="small">{printedOn(character).name}</strong>
      </span>
      <SeatMark seat={seat} />
      {!isRevealed && isOwn && <span class="secret">face down</span>}
      {isRevealed && effect && <span class={effect.isGain ? "effect gain" : "effect"}>{effect.short}</span>}
    </>
  );
}

/** The viewer's hand. Equal cards are stacked. */
export function Hand({ state, seat, control }: { state: tenerife.SeatState; seat: number; control: SelectionControl }): JSX.Element {
  const kinds = new Map(state.hand.map((card) => [`${card.character}/${card.colour}`, card]));
  return (
    <div class="hand" tabIndex={0} role="group" aria-label="Your characters">
      {[...kinds].map(([kind, card]) => {
        const count = state.hand.filter(({ character, colour }) => `${character}/${colour}` === kind).length;
        const { does } = printedOn(card.character);
        const label = `${count > 1 ? `${count} cards, ` : ""}${cardName(card)}: ${does}`;
        return (
          <SelectableCard key={kind} target={`hand:${kind}`} class="character" label={label} {...control}>
            {card.colour === "COLOUR_SECOND" && <Back seat={seat} colour={card.colour} />}
            <Picture character={card.character} />
            <strong>{printedOn(card.character).name}</strong>
            <span class="does small">{does}</span>
            {count > 1 && <span class="count figures">×{count}</span>}
          </SelectableCard>
        );
      })}
    </div>
  );
}

/** The cards of the previous round with their effects. Players use them to guess the next cards. */
export function LastRound({ revealed, names }: { revealed: Revealed; names: readonly string[] }): JSX.Element {
  const { round, cards, effects } = revealed;
  return (
    <details class="last-round" open={matchMedia("(min-width: 64em)").matches}>
      <summary class="small soft">Cards of round {round} and what they did</summary>
      <ol>
        {cards.map(({ space, seat, card }) => (
          <li key={space} title={names[seat]}>
            <span class="number figures">{space}</span>
            <SeatMark seat={seat} />
            <span class="small">
              <span class="visually-hidden">{names[seat]}: </span>
              {cardName(card)}
            </span>
            <span class={effects.get(space)?.isGain ? "effect gain" : "effect"}>{effects.get(space)?.short}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}
