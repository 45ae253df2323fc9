import { type api, applyFrame } from "skerry-client";
import { turnsOf } from "../board/journeys.js";
import { isMoved, type MovedEntry, standingMoves } from "../session/standingMoves.js";

/** One event that is shown, with the pieces after it. */
export interface Step {
  pieces: readonly api.ScenePiece[];
  /** The sequence of the event's entry. */
  sequence: number;
  /** The number of that entry's events up to and including this one. */
  events: number;
  /** The seat that moved. Absent for chance. */
  seat: number | undefined;
  /** How long it is shown, in milliseconds. */
  durationMs: number;
  /** The position before the entries that arrived together with this one. */
  before: api.Position;
}

/** What is shown of a game, and what waits to be shown. */
export interface PlaybackState {
  /** The newest position that has arrived. */
  position: api.Position;
  /** Whether the player looks at an earlier position. */
  isPast: boolean;
  /** The events to be shown. The board shows the first. */
  steps: readonly Step[];
  /** The position before the moves that the player has not seen one by one. */
  missedFrom: api.Position | undefined;
}

/** How long the first event of a frame is shown, how long each further one, and how long the own move, in milliseconds. */
const [MOVE_MS, EVENT_MS, OWN_MS] = [700, 500, 300];

/** With more events than this, the board shows the new position at once, and the page says what the player missed. */
export const MAX_STEPS = 60;

/** What arrives at the table. */
export interface Arrival extends Pick<PlaybackState, "position" | "isPast"> {
  entries: readonly api.Entry[];
  /** Whether the player sees the page, and wants to see each event. */
  isWanted: boolean;
}

/** Returns the state at a table that the player comes to. `seen`: the last entry that the player has seen, if that is known. */
export function begin(position: api.Position, entries: readonly api.Entry[], seen?: number): PlaybackState {
  const state: PlaybackState = { position, isPast: false, steps: [], missedFrom: undefined };
  const missed = seen === undefined ? state : { ...state, missedFrom: { ...position, sequence: `${seen}` } };
  return !entries.length || countMissed(missed, entries).length ? missed : state; // without a log nothing can be counted yet
}

/** Returns the last entry that the player has seen. */
export function seenUpTo({ position, steps: [step], missedFrom }: PlaybackState): number {
  return Number((missedFrom ?? step?.before ?? position).sequence);
}

/** Returns the state after a new position has arrived, or after the player went to an earlier one or back. */
export function arrive(state: PlaybackState, { position, isPast, entries, isWanted }: Arrival): PlaybackState {
  if (isPast || state.isPast) return { position, isPast, steps: [], missedFrom: state.missedFrom };
  const from = state.position;
  if (Number(position.sequence) < Number(from.sequence)) return { position, isPast, steps: [], missedFrom: undefined }; // a reset
  const hasActed = movesBetween(from, position, entries).some(({ seat }) => isOwn(seat, position));
  const missedFrom = hasActed ? undefined : state.missedFrom;
  const steps = [...state.steps, ...stepsBetween(from, position, entries)];
  if (isWanted && steps.length <= MAX_STEPS && areFramed(from, position, entries)) return { position, isPast, steps, missedFrom };
  const unseen = { position, isPast, steps: [], missedFrom: missedFrom ?? state.steps[0]?.before ?? from };
  return countMissed(unseen, entries).length ? unseen : { ...unseen, missedFrom };
}

/** Whether the server has sent the pieces after each move between two positions. It sends none with the first message of a stream. */
function areFramed(before: api.Position, after: api.Position, entries: readonly api.Entry[]): boolean {
  return movesBetween(before, after, entries).every(({ moved }) => moved.frames.length);
}

/** The most missed moves that are shown one by one: the last ones. */
const MAX_REVIEWED = 32;

/** Returns the positions that the missed moves led to, after the one before them: those that the server sent no pieces for. */
export function positionsToRead({ missedFrom, position }: PlaybackState, entries: readonly api.Entry[]): number[] {
  if (!missedFrom || stepsBetween(missedFrom, position, entries).length) return [];
  const moves = movesBetween(missedFrom, position, entries).map(({ sequence }) => Number(sequence));
  return [Number(missedFrom.sequence), ...moves].slice(-MAX_REVIEWED - 1);
}

/** Returns the state after the first step has been shown long enough. */
export function advance(state: PlaybackState): PlaybackState {
  return { ...state, steps: state.steps.slice(1) };
}

/** Returns the state after the player skips all steps. */
export function skip(state: PlaybackState, entries: readonly api.Entry[]): PlaybackState {
  const skipped = { ...state, steps: [], missedFrom: state.missedFrom ?? state.steps[0]?.before };
  return countMissed(skipped, entries).length ? skipped : { ...skipped, missedFrom: undefined };
}

/** Returns the state that shows the missed moves. `read`: the positions of `positionsToRead`. */
export function review(state: PlaybackState, entries: readonly api.Entry[], read: readonly api.Position[] = []): PlaybackState {
  const { missedFrom, position } = state;
  if (!missedFrom) return state;
  const steps = read.length ? stepsThrough(read, position, entries) : stepsBetween(missedFrom, position, entries);
  return { ...state, missedFrom: undefined, steps };
}

/** Returns the steps from each position to the next: one for each event, with the pieces after its move. */
function stepsThrough(positions: readonly api.Position[], newest: api.Position, entries: readonly api.Entry[]): Step[] {
  const known = new Map(positions.map((position) => [position.sequence, position]));
  let before = positions[0]!;
  return movesBetween(before, newest, entries).flatMap(({ sequence, seat, moved: { events } }) => {
    const [from, after] = [before, known.get(sequence) ?? newest];
    before = after;
    return events.map((_, place): Step => {
      const durationMs = place ? EVENT_MS : MOVE_MS;
      return { pieces: after.scene?.pieces ?? [], sequence: Number(sequence), events: place + 1, seat, durationMs, before: from };
    });
  });
}

/** The number of moves of a seat that the player missed. */
export interface MissedMoves {
  seat: number;
  count: number;
}

/** Returns how many moves of each other seat the player missed since the own last move, in the order of the first ones. */
export function countMissed({ missedFrom, position }: PlaybackState, entries: readonly api.Entry[]): MissedMoves[] {
  if (!missedFrom) return [];
  const counts = new Map<number, number>();
  for (const { seat } of movesBetween(missedFrom, position, entries)) {
    if (isOwn(seat, position)) counts.clear();
    else if (seat !== undefined) counts.set(seat, (counts.get(seat) ?? 0) + 1);
  }
  return [...counts].map(([seat, count]) => ({ seat, count }));
}

/** A point in the log: after so many events of an entry, and after all entries before it. */
export interface LogPoint {
  sequence: number;
  events: number;
}

/** Returns how far the log is shown. `undefined`: to its end. */
export function shownUpTo({ steps: [step] }: PlaybackState): LogPoint | undefined {
  return step && { sequence: step.sequence, events: step.events };
}

/** Returns the entries that are shown. The last one has only the events that are. */
export function shownEntries(entries: readonly api.Entry[], shown: LogPoint | undefined): readonly api.Entry[] {
  if (!shown) return entries;
  let end = entries.length;
  while (end && Number(entries[end - 1]!.sequence) > shown.sequence) end -= 1;
  return entries.slice(0, end).map((entry, place) => (place === end - 1 ? withEvents(entry, shown) : entry));
}

function withEvents(entry: api.Entry, { sequence, events }: LogPoint): api.Entry {
  if (!isMoved(entry) || Number(entry.sequence) !== sequence || events >= entry.moved.events.length) return entry;
  return { ...entry, moved: { ...entry.moved, events: entry.moved.events.slice(0, events) } };
}

/** Returns the gains that have not been shown yet. */
export function pendingGains(entries: readonly api.Entry[], shown: LogPoint | undefined): api.Gain[] {
  if (!shown) return [];
  const later: api.Gain[] = [];
  for (const { sequence, moved } of standingMoves(entries)) {
    if (Number(sequence) < shown.sequence) break;
    const events = Number(sequence) === shown.sequence ? moved.events.slice(shown.events) : moved.events;
    later.push(...events.flatMap(({ effect }) => effect?.gains ?? []));
  }
  return later;
}

/** Returns the latest event that is shown. */
export function latestShown(entries: readonly api.Entry[], { sequence }: api.Position, shown: LogPoint | undefined): api.Event | undefined {
  for (const entry of standingMoves(entries, Number(sequence))) {
    const events = eventsUpTo(entry, shown ?? { sequence: Number(sequence), events: Infinity });
    if (events.length) return events[events.length - 1];
  }
  return undefined;
}

/**
 * Returns the ids of the places and pieces that others have touched since the viewer's last move, as far as it is shown.
 * Spectators see those of the last seat that moved, and so does a player who moved last.
 */
export function touchedSince(entries: readonly api.Entry[], { sequence, seat: own }: api.Position, shown: LogPoint | undefined): ReadonlySet<string> {
  const touched = new Set<string>();
  const point = shown ?? { sequence: Number(sequence), events: Infinity };
  let mover: number | undefined;
  let chance: string[] = []; // What chance touched belongs to the move before it. The set-up belongs to none.
  for (const entry of standingMoves(entries, Number(sequence))) {
    const { seat } = entry;
    const ids = eventsUpTo(entry, point).flatMap(({ effect }) => effect?.touched ?? []);
    if (seat === undefined) {
      chance.push(...ids);
      continue;
    }
    for (const id of chance) touched.add(id);
    chance = [];
    const isEnd = own === undefined ? mover !== undefined && seat !== mover : seat === own;
    if (isEnd && touched.size) break;
    for (const id of ids) touched.add(id);
    if (isEnd && touched.size) break;
    if (touched.size) mover ??= seat;
  }
  return touched;
}

/**
 * Returns the sequence of the last entry up to a position that can have changed what the viewer chooses from: what players
 * say and nudges do not.
 */
export function lastChange(entries: readonly api.Entry[], { sequence }: api.Position): string {
  for (let place = entries.length - 1; place >= 0; place -= 1) {
    const entry = entries[place]!;
    if (Number(entry.sequence) <= Number(sequence) && !("emoted" in entry) && !("nudged" in entry)) return entry.sequence;
  }
  return sequence;
}

/** Whether only others have moved since, and the viewer chooses from the same moves as before. */
export function isSameDecision(before: api.Position, after: api.Position, entries: readonly api.Entry[]): boolean {
  const [from, to] = [Number(before.sequence), Number(after.sequence)];
  const since = entries.filter(({ sequence }) => Number(sequence) > from && Number(sequence) <= to);
  return (
    since.length === to - from && // otherwise the log is not complete yet
    since.every((entry) => "emoted" in entry || "nudged" in entry || ("moved" in entry && entry.seat !== undefined && entry.seat !== after.seat)) &&
    before.legalMoves.length > 0 &&
    before.legalMoves.map(({ text }) => text).join("\n") === after.legalMoves.map(({ text }) => text).join("\n")
  );
}

/** Whether a move that a position includes was taken back since. */
function isTakenBack(before: api.Position, after: api.Position, entries: readonly api.Entry[]): boolean {
  const [from, to] = [Number(before.sequence), Number(after.sequence)];
  return entries.some(
    (entry) => "undone" in entry && Number(entry.sequence) > from && Number(entry.sequence) <= to && Number(entry.undone.first) <= from,
  );
}

/** Returns the events of a move that come before a point in the log. */
function eventsUpTo({ sequence, moved }: MovedEntry, point: LogPoint): readonly api.Event[] {
  if (Number(sequence) > point.sequence) return [];
  return Number(sequence) === point.sequence ? moved.events.slice(0, point.events) : moved.events;
}

function isOwn(seat: number | undefined, { seat: own }: api.Position): boolean {
  return seat !== undefined && seat === own;
}

/** Returns the moves after a position, up to another one. */
function movesBetween(before: api.Position, after: api.Position, entries: readonly api.Entry[]): MovedEntry[] {
  const moves: MovedEntry[] = [];
  for (const entry of standingMoves(entries, Number(after.sequence))) {
    if (Number(entry.sequence) <= Number(before.sequence)) break;
    moves.push(entry);
  }
  return moves.reverse();
}

/** Returns the steps between two positions, for the moves of which the server sent the pieces. */
export function stepsBetween(before: api.Position, after: api.Position, entries: readonly api.Entry[]): Step[] {
  // Otherwise the steps would begin from other pieces, or lose some.
  if (isTakenBack(before, after, entries) || !areFramed(before, after, entries)) return [];
  let pieces: readonly api.ScenePiece[] = before.scene?.pieces ?? [];
  return movesBetween(before, after, entries).flatMap(({ sequence, seat, moved: { frames } }) => {
    let events = 0;
    return frames.flatMap((frame, part) => {
      const shown = applyFrame(pieces, frame);
      const turningMs = turnsOf(pieces, shown).at(-1)?.delay ?? 0;
      pieces = shown;
      return Array.from({ length: frame.events }, (_, place): Step => {
        events += 1;
        const firstMs = isOwn(seat, after) && !part ? OWN_MS : MOVE_MS; // What follows from the own move is news to its player.
        return { pieces: shown, sequence: Number(sequence), events, seat, durationMs: place ? EVENT_MS : firstMs + turningMs, before };
      });
    });
  });
}
