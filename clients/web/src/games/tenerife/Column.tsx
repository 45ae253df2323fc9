import type { tenerife } from "skerry-client";
import type { JSX } from "preact";
import { HotCard, type Touching } from "../../hot.js";
import { Mark } from "../../marks.js";
import { Back, nameOf, Picture, printedOn } from "./characters.js";
import type { Came, Revealed } from "./round.js";

interface ColumnProps {
  view: tenerife.View;
  /** The viewer's seat. */
  seat: number | undefined;
  names: readonly string[];
  /** What came of the characters, by space. Absent while they lie face down. */
  came: ReadonlyMap<number, Came> | undefined;
  touching: Touching;
}

/** The column of characters: face down until all lie there, then acting one after the other. */
export function Column({ view, seat, names, came, touching }: ColumnProps): JSX.Element {
  const isRevealed = view.column.every((space) => space.seat !== undefined && space.character);
  return (
    <div class="column" role="group" aria-label="Column of characters. They act in order, from space 1.">
      {view.column.map((space) => {
        const state = { space, isRevealed, isActive: view.activeSpace === space.space, came: came?.get(space.space) };
        return (
          <HotCard
            key={space.space}
            at={`space:${space.space}`}
            class={`space ${space.seat === undefined ? "vacant" : ""} ${state.isActive ? "active" : ""}`}
            label={said(space, names, isRevealed ? state.came?.short : undefined)}
            {...touching}
          >
            <Face {...state} isOwn={space.seat === seat} />
          </HotCard>
        );
      })}
    </div>
  );
}

/** Returns a space in words. */
function said(state: tenerife.SpaceState, names: readonly string[], came: string | undefined): string {
  const { space, seat, character, colour } = state;
  if (seat === undefined) return `Space ${space}: empty`;
  const card = character ? nameOf({ character, colour: colour ?? "COLOUR_OWN" }) : "face-down card";
  return `Space ${space}: ${card} of ${names[seat]}${came ? `, ${came}` : ""}`;
}

interface FaceProps {
  space: tenerife.SpaceState;
  isRevealed: boolean;
  isOwn: boolean;
  came: Came | undefined;
}

function Face({ space: { space, seat, character, colour }, isRevealed, isOwn, came }: FaceProps): JSX.Element {
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
      <Mark seat={seat} />
      {!isRevealed && isOwn && <span class="secret">face down</span>}
      {isRevealed && came && <span class={came.isGain ? "came gain" : "came"}>{came.short}</span>}
    </>
  );
}

/** The cards that one can lay; cards of a kind lie on each other. */
export function Hand({ state, seat, touching }: { state: tenerife.SeatState; seat: number; touching: Touching }): JSX.Element {
  const kinds = new Map(state.hand.map((card) => [`${card.character}/${card.colour}`, card]));
  return (
    <div class="hand" tabIndex={0} role="group" aria-label="Your characters">
      {[...kinds].map(([kind, card]) => {
        const count = state.hand.filter(({ character, colour }) => `${character}/${colour}` === kind).length;
        const { does } = printedOn(card.character);
        const label = `${count > 1 ? `${count} cards, ` : ""}${nameOf(card)}: ${does}`;
        return (
          <HotCard key={kind} at={`hand:${kind}`} class="character" label={label} {...touching}>
            {card.colour === "COLOUR_SECOND" && <Back seat={seat} colour={card.colour} />}
            <Picture character={card.character} />
            <strong>{printedOn(card.character).name}</strong>
            <span class="does small">{does}</span>
            {count > 1 && <span class="count figures">×{count}</span>}
          </HotCard>
        );
      })}
    </div>
  );
}

/** Who lay where in the round before, and what came of it: what bluffers remember. */
export function LastRound({ revealed, names }: { revealed: Revealed; names: readonly string[] }): JSX.Element {
  const { round, cards, came } = revealed;
  return (
    <details class="last-round" open={matchMedia("(min-width: 64em)").matches}>
      <summary class="small soft">Cards of round {round} and what they did</summary>
      <ol>
        {cards.map(({ space, seat, card }) => (
          <li key={space} title={names[seat]}>
            <span class="number figures">{space}</span>
            <Mark seat={seat} />
            <span class="small">
              <span class="unseen">{names[seat]}: </span>
              {nameOf(card)}
            </span>
            <span class={came.get(space)?.isGain ? "came gain" : "came"}>{came.get(space)?.short}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}
