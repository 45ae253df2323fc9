import type { tenerife } from "skerry-client";

type Event = tenerife.Event;

/** The effect of a character. */
export interface Effect {
  /** One or two words beside the card: "+2", "robbed". */
  short: string;
  /** Whether the character gained something. */
  isGain: boolean;
}

/** A round whose characters have been revealed. */
export interface Revealed {
  round: number;
  cards: readonly tenerife.RevealedCard[];
  /** By space. */
  effects: ReadonlyMap<number, Effect>;
  /** Whether the round has ended and the cards are back in the hands. */
  isOver: boolean;
}

const REASONS: Readonly<Record<string, string>> = {
  REASON_TOWN_FULL: "town full",
  REASON_HALL_FULL: "hall full",
  REASON_NO_MANSION: "no mansion",
  REASON_NO_SYMBOL: "no symbol",
  REASON_STORAGE_FULL: "no room",
  REASON_NO_WAREHOUSE: "no goods",
  REASON_NO_TRANSPORT: "no ship",
  REASON_NOBODY_AHEAD: "nobody there",
  REASON_FARMER_AHEAD: "a farmer",
  REASON_THIEVES_BEHIND: "too early",
  REASON_OWN_AHEAD: "own side",
  REASON_FREED: "freed one",
  REASON_NO_PLOT: "no plot",
};

const gain = (short: string): Effect => ({ short, isGain: true });
const loss = (short: string): Effect => ({ short, isGain: false });

/** Returns the space of an event, and the effect of the character there. */
function effectOf(event: Event): readonly [number, Effect] | undefined {
  if ("noEffect" in event) return [event.noEffect.space, loss(REASONS[event.noEffect.reason] ?? "nothing")];
  if ("characterRobbed" in event) return [event.characterRobbed.space, loss("robbed")];
  if ("mansionBuilt" in event) return [event.mansionBuilt.space, gain(`+${event.mansionBuilt.points}`)];
  if ("elementBuilt" in event) return [event.elementBuilt.space, gain(`plot ${event.elementBuilt.plot}`)];
  if ("warehouseBuilt" in event) return [event.warehouseBuilt.space, gain("stored")];
  if ("warehouseExported" in event) return [event.warehouseExported.space, gain(`+${event.warehouseExported.points}`)];
  if ("merchantMoved" in event) return [event.merchantMoved.space, gain(`+${event.merchantMoved.points}`)];
  if ("merchantRobbed" in event) return [event.merchantRobbed.space, gain(`+${event.merchantRobbed.points}`)];
  return undefined;
}

/** Returns the latest round whose characters have been revealed. */
export function lastRevealed(events: readonly Event[]): Revealed | undefined {
  const from = lastOf(events, (event) => "charactersRevealed" in event);
  const shown = events[from];
  if (!shown || !("charactersRevealed" in shown)) return undefined;
  const begun = events[lastOf(events.slice(0, from), (event) => "roundBegun" in event)];
  const since = events.slice(from);
  return {
    round: begun && "roundBegun" in begun ? begun.roundBegun.round : 0,
    cards: shown.charactersRevealed.cards,
    effects: new Map(since.map(effectOf).filter((one) => one !== undefined)),
    isOver: since.some((event) => "roundEnded" in event),
  };
}

function lastOf(events: readonly Event[], is: (event: Event) => boolean): number {
  return events.map(is).lastIndexOf(true);
}
