import type { canarias } from "skerry-client";
import type { EventPlayback } from "../ui.js";

type View = canarias.View;
type SeatState = canarias.SeatState;

/** The order of all lists by colour. */
const COLOURS: readonly canarias.Colour[] = [
  ...(["COLOUR_ORANGE", "COLOUR_BROWN", "COLOUR_GREEN", "COLOUR_BLUE", "COLOUR_BEIGE", "COLOUR_RED"] as const),
];

function withSeat(view: View, number: number, change: (state: SeatState) => Partial<SeatState>): View {
  return { ...view, seats: view.seats.map((state) => (state.seat === number ? { ...state, ...change(state) } : state)) };
}

/** Returns the counts by colour, with one count changed. */
function counted(counts: readonly number[], colour: canarias.Colour, by: number): number[] {
  return counts.map((count, place) => (COLOURS[place] === colour ? count + by : count));
}

function without(cards: readonly string[], card: string | undefined): string[] {
  const place = card === undefined ? -1 : cards.indexOf(card);
  return cards.filter((_, other) => other !== place);
}

/** Clears the current card and building. */
function settled({ card: _, piece: __, colour: ___, ...view }: View): View {
  return { ...view, material: [] };
}

/** Replaces houses by a palace or a town. The houses return to the supply. */
function grown(view: View, piece: canarias.Piece, built: canarias.PalaceBuilt | canarias.TownBuilt): View {
  const { seat, square, colour, material, points } = built;
  const isMaterial = (one: canarias.Building): boolean => material.includes(one.square);
  const houses = view.seats.find((state) => state.seat === seat)?.buildings.filter(isMaterial) ?? [];
  const shown = withSeat(view, seat, ({ buildings, score }) => ({
    buildings: [...buildings.filter((one) => !isMaterial(one)), { square, piece, colour }],
    score: score + points,
  }));
  const left = piece === "PIECE_TOWN" ? "townsLeft" : "palacesLeft";
  return settled({
    ...shown,
    housesLeft: houses.reduce((counts, house) => counted(counts, house.colour, 1), view.housesLeft),
    [left]: counted(view[left], colour, -1),
  });
}

function housed(view: View, { seat, square, colour }: canarias.HousePlaced): View {
  const shown = withSeat(view, seat, ({ buildings, score }) => ({
    buildings: [...buildings, { square, piece: "PIECE_HOUSE", colour }],
    score: score + 1,
  }));
  return settled({ ...shown, housesLeft: counted(shown.housesLeft, colour, -1) });
}

function robbed(view: View, { seat, square, colour }: canarias.HouseGivenUp): View {
  const shown = withSeat(view, seat, ({ buildings, score }) => ({
    buildings: buildings.filter((one) => one.square !== square),
    score: score - 1,
  }));
  return { ...shown, housesLeft: counted(shown.housesLeft, colour, 1) };
}

function apply(view: View, event: canarias.Event, own: number | undefined): View {
  if ("housePlaced" in event) return housed(view, event.housePlaced);
  if ("palaceBuilt" in event) return grown(view, "PIECE_PALACE", event.palaceBuilt);
  if ("townBuilt" in event) return grown(view, "PIECE_TOWN", event.townBuilt);
  if ("houseGivenUp" in event) return robbed(view, event.houseGivenUp);
  if ("islandTaken" in event) return withSeat(view, event.islandTaken.seat, () => ({ island: event.islandTaken.island }));
  if ("privilegeTaken" in event) {
    const { colour, seat } = event.privilegeTaken;
    return { ...view, privileges: view.privileges.map((one) => (one.colour === colour ? { colour, owner: seat } : one)) };
  }
  return turnsAfter(cardsAfter(view, event, own), event);
}

/** Applies an event to the round and the turn. */
function turnsAfter(view: View, event: canarias.Event): View {
  if ("turnBegun" in event) {
    const { seat, round } = event.turnBegun;
    return settled({ ...view, turn: seat, actingSeat: seat, round });
  }
  if ("shipArrived" in event) {
    const { turn: _, ...unloading } = view;
    return unloading;
  }
  if ("roundEnded" in event) {
    const { lastFollows, startSeat, nextStartSeat = startSeat } = event.roundEnded;
    const seats = view.seats.map((state) => ({ ...state, loaded: false }));
    return { ...view, seats, lastRound: view.lastRound || lastFollows, startSeat: nextStartSeat };
  }
  return view;
}

/** Applies an event to the cards. `own` is the seat whose hand the view shows. */
function cardsAfter(view: View, event: canarias.Event, own: number | undefined): View {
  if ("settlerPlayed" in event) {
    const { seat, card } = event.settlerPlayed;
    const shown = withSeat(view, seat, ({ hand }) => ({ hand: hand - 1 }));
    return { ...shown, card, hand: without(view.hand, card), discard: [...view.discard, card] };
  }
  if ("cardDrawn" in event) {
    const { seat, card } = event.cardDrawn;
    const shown = withSeat(view, seat, ({ hand }) => ({ hand: hand + 1 }));
    return { ...shown, deck: view.deck - 1, hand: card && seat === own ? [...view.hand, card] : view.hand };
  }
  if ("cardLoaded" in event) {
    const { seat, card } = event.cardLoaded;
    const { card: _, ...shown } = withSeat(view, seat, ({ hand }) => ({ hand: hand - 1, loaded: true }));
    const aboard = card && seat === own ? [...view.aboard, { card, seat }] : view.aboard;
    return { ...shown, ship: view.ship + 1, hand: without(view.hand, card), aboard };
  }
  if ("shipCardTurnedUp" in event) {
    const { card } = event.shipCardTurnedUp;
    const place = view.aboard.findIndex((one) => one.card === card); // Remove one card only: in the deck of triples, an identical card may stay.
    const aboard = view.aboard.filter((_, other) => other !== place);
    return { ...view, card, aboard, ship: view.ship - 1, discard: [...view.discard, card] };
  }
  if ("deckRenewed" in event) return { ...view, deck: event.deckRenewed.cards, discard: [] };
  return view;
}

/** How long the view is shown after each kind of event. Other kinds change nothing visible. */
const DURATIONS_MS: Readonly<Record<string, number>> = {
  islandTaken: 500,
  settlerPlayed: 700,
  housePlaced: 600,
  palaceBuilt: 800,
  townBuilt: 800,
  privilegeTaken: 700,
  cardLoaded: 400,
  shipArrived: 600,
  shipCardTurnedUp: 900,
  settlerChose: 700,
  pirateStruck: 900,
  pirateDiverted: 700,
  houseGivenUp: 800,
  nothingToGiveUp: 600,
};

/** The animation of Islas Canarias. */
export const playback: EventPlayback<View, canarias.Event> = {
  apply,
  durationMs: (event) => DURATIONS_MS[Object.keys(event)[0] ?? ""] ?? 0,
};
