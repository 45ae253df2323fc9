import type { tenerife } from "skerry-client";
import type { EventPlayback } from "../ui.js";

type View = tenerife.View;
type Event = tenerife.Event;

/** Returns the list with one entry changed. */
function changed<T>(list: readonly T[], place: number, change: (old: T) => T): T[] {
  return list.map((one, at) => (at === place ? change(one) : one));
}

/** Adds points to a seat's score, and mansions to its supply. Negative numbers remove them. */
function paid(view: View, seat: number, points: number, mansions = 0): View {
  const seats = changed(view.seats, seat, (one) => ({ ...one, score: one.score + points, mansions: one.mansions + mansions }));
  return { ...view, seats };
}

function built(view: View, { seat, town, points }: tenerife.MansionBuilt): View {
  const at = view.towns.findIndex((one) => one.town === town);
  const towns = changed(view.towns, at, (one) => ({ ...one, mansions: [...one.mansions, seat] }));
  return { ...paid(view, seat, points, -1), towns };
}

function exported(view: View, { seat, victim, storage, points, space, transport }: tenerife.WarehouseExported): View {
  const owner = victim ?? seat;
  const leave = (warehouses: readonly number[]): number[] => {
    const first = warehouses.indexOf(owner);
    return warehouses.filter((_, place) => place !== first);
  };
  const scored = paid(paid(view, owner, 0, 1), seat, points);
  const stored = changed(view.storage, storage - 1, (one) => ({ ...one, warehouses: leave(one.warehouses) }));
  return { ...scored, storage: stored, transport: transport ? [...view.transport, space] : view.transport };
}

/** Lays a character. Only its owner sees it, although events of a finished game contain it. */
function laid(view: View, { seat, space, colour, character }: tenerife.CharacterLaid, viewer: number | undefined): View {
  const seen = seat === viewer && character ? { character } : {};
  const column = changed(view.column, space - 1, () => ({ space, seat, colour, ...seen }));
  const left = (hand: readonly tenerife.Card[]): tenerife.Card[] => {
    const place = hand.findIndex((card) => card.character === character && card.colour === colour);
    return hand.filter((_, at) => at !== place);
  };
  const seats = changed(view.seats, seat, (one) => ({ ...one, hand: left(one.hand), cardsInHand: one.cardsInHand - 1 }));
  return { ...view, column, seats };
}

function revealed(view: View, { cards }: tenerife.CharactersRevealed): View {
  const known = new Map(cards.map(({ space, card }) => [space, card.character]));
  const column = view.column.map((one) => ({ ...one, ...(known.has(one.space) && { character: known.get(one.space)! }) }));
  return { ...view, column };
}

/** Returns all cards to the hands. Of other seats, the view has only the number of cards. */
function cleared(view: View): View {
  const seats = view.seats.map((one) => {
    const own = view.column.filter(({ seat }) => seat === one.seat);
    const back = own.flatMap(({ character, colour }) => (character && colour ? [{ character, colour }] : []));
    const hand = one.hand.length === one.cardsInHand ? [...one.hand, ...back] : one.hand;
    return { ...one, hand, cardsInHand: one.cardsInHand + own.length };
  });
  return { ...view, seats, column: view.column.map(({ space }) => ({ space })), transport: [] };
}

function begun(view: View, { round, place, startSeat, hallRound }: tenerife.RoundBegun): View {
  return { ...view, round, hallRound, startSeat, currentPlace: place };
}

function moved(view: View, { seat, space, toPlace, points }: tenerife.MerchantMoved): View {
  const seats = changed(paid(view, seat, points).seats, seat, (one) => ({ ...one, merchant: toPlace }));
  return { ...view, seats, transport: [...view.transport, space] };
}

/** Applies an event, except for the active space. */
function repainted(view: View, event: Event, viewer: number | undefined): View {
  if ("startSeatDrawn" in event) return { ...view, startSeat: event.startSeatDrawn.seat };
  if ("roundEnded" in event) return cleared(view);
  if ("roundBegun" in event) return begun(view, event.roundBegun);
  if ("characterLaid" in event) return laid(view, event.characterLaid, viewer);
  if ("charactersRevealed" in event) return revealed(view, event.charactersRevealed);
  if ("mansionBuilt" in event) return built(view, event.mansionBuilt);
  if ("warehouseExported" in event) return exported(view, event.warehouseExported);
  if ("merchantMoved" in event) return moved(view, event.merchantMoved);
  if ("merchantRobbed" in event) return paid(view, event.merchantRobbed.seat, event.merchantRobbed.points);
  if ("farmhandMoved" in event) return { ...view, farmhand: event.farmhandMoved.toStorage };
  if ("hallScored" in event) return paid(view, event.hallScored.seat, event.hallScored.points);
  if ("elementBuilt" in event) {
    const { plot, seat } = event.elementBuilt;
    return { ...paid(view, seat, 0, -1), hall: changed(view.hall, plot - 1, (one) => ({ ...one, seat })) };
  }
  if ("warehouseBuilt" in event) {
    const { storage, seat } = event.warehouseBuilt;
    const stored = changed(view.storage, storage - 1, (one) => ({ ...one, warehouses: [...one.warehouses, seat] }));
    return { ...paid(view, seat, 0, -1), storage: stored };
  }
  return view;
}

/** Returns the space of the column where an event happens. */
export function spaceOf(event: Event): number | undefined {
  const [happened] = Object.values(event) as { space?: number }[];
  return "characterLaid" in event ? undefined : happened?.space;
}

/** How long the view is shown after events that are not the action of a character. */
const DURATIONS_MS: Readonly<Record<string, number>> = {
  startSeatDrawn: 0,
  roundEnded: 0,
  farmhandMoved: 0,
  gameEnded: 0,
  characterLaid: 220,
  characterRobbed: 500,
  characterFreed: 500,
  noEffect: 450,
  charactersRevealed: 900,
  roundBegun: 600,
  hallScored: 900,
};

const ACTION_MS = 650;

/** The animation of Tenerife, card by card. */
export const playback: EventPlayback<View, Event> = {
  apply: (view, event, viewer) => {
    const { activeSpace: _, ...others } = repainted(view, event, viewer);
    const space = spaceOf(event);
    return space === undefined ? others : { ...others, activeSpace: space };
  },
  durationMs: (event) => DURATIONS_MS[Object.keys(event)[0] ?? ""] ?? ACTION_MS,
};
