import type { smallIslands } from "skerry-client";
import type { EventPlayback } from "../ui.js";

type View = smallIslands.View;
type Event = smallIslands.Event;
type Change = (seat: smallIslands.SeatState) => Partial<smallIslands.SeatState>;

/** Returns the view with one seat changed. */
function withSeat(view: View, seat: number, change: Change): View {
  return { ...view, seats: view.seats.map((one) => (one.seat === seat ? { ...one, ...change(one) } : one)) };
}

function without(list: readonly string[], id: string): string[] {
  return list.filter((one) => one !== id);
}

function laid(view: View, { seat, tile, at, turns, source }: smallIslands.TileLaid): View {
  const tiles = [...view.tiles, { tile, at, turns }];
  const { picked: _, ...others } = view;
  if (source === "TILE_SOURCE_START") return { ...others, tiles };
  return withSeat({ ...others, tiles }, seat, (one) => ({
    hand: without(one.hand, tile),
    tilesInHand: one.tilesInHand - 1,
  }));
}

function shipped(view: View, { seat, grey, at }: smallIslands.ShipLanded): View {
  const ships = [...view.ships, grey ? { at } : { at, seat }];
  return grey ? { ...view, ships, greyShips: view.greyShips - 1 } : withSeat({ ...view, ships }, seat, () => ({ ship: at }));
}

/** Applies an event to the view. It does not join islands: that takes the rules, which only the server has. */
function apply(view: View, event: Event, viewer: number | undefined): View {
  if ("tileTaken" in event) {
    const { seat, tile } = event.tileTaken;
    const less = { ...view, display: without(view.display, tile) };
    return withSeat(less, seat, ({ hand, tilesInHand }) => ({ hand: [...hand, tile], tilesInHand: tilesInHand + 1 }));
  }
  if ("tileDealt" in event) return dealt(view, event.tileDealt);
  if ("handShown" in event) return gone(view, event.handShown);
  if ("tilePicked" in event) return { ...view, picked: event.tilePicked.tile };
  if ("tileLaid" in event) return laid(view, event.tileLaid);
  if ("tileTurnedUp" in event) {
    const { tile, fromStack } = event.tileTurnedUp;
    const [stack, reserve] = fromStack ? [1, 0] : [0, 1];
    const left = { navigationStack: view.navigationStack - stack, reserve: view.reserve - reserve };
    return { ...view, ...left, display: [...view.display, tile] };
  }
  if ("tokenPlaced" in event) {
    const { seat, token, shows, at, place } = event.tokenPlaced;
    const more = { ...view, tokens: [...view.tokens, { at, seat, shows, place }] };
    return withSeat(more, seat, ({ tokens }) => ({ tokens: tokens.filter((one) => one !== token) }));
  }
  if ("shipLanded" in event) return shipped(view, event.shipLanded);
  if ("objectiveRevealed" in event) {
    const { seat, cards } = event.objectiveRevealed;
    return withSeat(view, seat, () => ({ objective: cards }));
  }
  if ("housePlaced" in event) {
    const { seat, at } = event.housePlaced;
    return withSeat(view, seat, ({ houses, housesAtHand }) => ({ houses: [...houses, at], housesAtHand: housesAtHand - 1 }));
  }
  if ("housePaid" in event) return scored(view, event.housePaid);
  if ("bonusScored" in event) return scored(view, event.bonusScored);
  if ("buildingEnded" in event) {
    const { seat, houses } = event.buildingEnded;
    return withSeat(view, seat, ({ housesAtHand, housesLeft }) => ({
      housesAtHand: housesAtHand + houses,
      housesLeft: housesLeft - houses,
    }));
  }
  if ("cardDealt" in event) {
    const { seat, card } = event.cardDealt;
    return card ? withSeat(view, seat, ({ cards }) => ({ cards: [...cards, card] })) : view;
  }
  if ("objectiveChosen" in event) {
    // Ignore the choices of other seats, which events of a finished game contain.
    const { seat, chosen, aside, returned } = event.objectiveChosen;
    return seat === viewer ? withSeat(view, seat, () => ({ cards: [], objective: chosen, aside, returned })) : view;
  }
  if ("roundBegun" in event) return begun(view, event.roundBegun);
  return view;
}

/** A round starts with the cards that were put aside. The navigation stack gets the tiles that left the reserve. */
function begun(view: View, { round, reserve }: smallIslands.RoundBegun): View {
  const seats = view.seats.map((one) => ({ ...one, cards: one.aside, objective: [], aside: [], returned: [] }));
  return { ...view, seats, round, reserve, navigationStack: view.reserve - reserve };
}

function dealt(view: View, { seat, tile }: smallIslands.TileDealt): View {
  const less = { ...view, reserve: view.reserve - 1 };
  return withSeat(less, seat, ({ hand, tilesInHand }) => ({
    hand: tile ? [...hand, tile] : hand,
    tilesInHand: tilesInHand + 1,
  }));
}

/** A seat whose tiles do not fit shows its hand, and one of the tiles leaves the game. */
function gone(view: View, { seat, hand, gone: tile }: smallIslands.HandShown): View {
  const less = { ...view, gone: [...view.gone, tile] };
  return withSeat(less, seat, ({ tilesInHand }) => ({ hand: without(hand, tile), tilesInHand: tilesInHand - 1 }));
}

function scored(view: View, { seat, points }: { seat: number; points: number }): View {
  return withSeat(view, seat, ({ score }) => ({ score: score + points }));
}

/** How long the view is shown after each kind of event. Other events are shown together with the next one. */
const DURATIONS_MS: Readonly<Record<string, number>> = {
  tileTaken: 300,
  tileLaid: 500,
  tokenPlaced: 600,
  handShown: 700,
  shipLanded: 900,
  roundBegun: 500,
  lastRewardBegun: 700,
  objectiveRevealed: 1000,
  housePlaced: 350,
  housePaid: 1000,
  discoveryKept: 600,
  bonusScored: 1000,
};

/** The animation of Small Islands. */
export const playback: EventPlayback<View, Event> = {
  apply,
  durationMs: (event) => DURATIONS_MS[Object.keys(event)[0] ?? ""] ?? 0,
};
