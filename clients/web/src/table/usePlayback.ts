import { type api, applyFrame } from "skerry-client";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

/** What the board shows: the position or, while new events are shown one by one, the pieces after the latest event shown. */
export interface Playback {
  /** The pieces to draw. */
  pieces: readonly api.ScenePiece[];
  /** The latest event shown. */
  latestEvent: api.Event | undefined;
  /** The ids of the places and pieces that it is about. */
  touched: ReadonlySet<string>;
  /** The points of the events that have not been shown yet. */
  pending: readonly api.Gain[];
  /** Whether more events are waiting to be shown. */
  isRunning: boolean;
}

/** One event, with the pieces after its step of the move. */
interface Frame {
  pieces: readonly api.ScenePiece[];
  /** The number of events up to and including this one. */
  count: number;
  /** How long it is shown, in milliseconds. */
  durationMs: number;
}

/** How long the first event of an entry is shown, how long each further one, and how long an event of the own move. */
const [ENTRY_MS, EVENT_MS, OWN_MS] = [700, 500, 300];

/** The longest time that new events are shown in total. */
const MAX_TOTAL_MS = 8000;

/** With more new events than this, the board shows the new position at once. */
const MAX_EVENTS = 200;

/**
 * Shows the events that led to a new position one by one, if the server sent the pieces after their steps. A click or
 * Escape skips the rest. `isPast`: the player looks at an earlier position, so nothing is animated.
 */
export function usePlayback(position: api.Position, entries: readonly api.Entry[], isPast: boolean): Playback {
  const all = useMemo(() => eventsUpTo(position, entries), [position, entries]);
  const known = useRef<{ position: api.Position; isPast: boolean; frames: readonly Frame[] }>({ position, isPast, frames: [] });
  const [, redraw] = useState(0);
  if (known.current.position !== position) {
    const isLater = Number(position.sequence) >= Number(known.current.position.sequence); // not after a reset
    const isNew = !isPast && !known.current.isPast && isLater;
    const more = isNew && isWanted() ? framesBetween(known.current.position, position, entries) : [];
    known.current = { position, isPast, frames: isNew ? shortenFrames([...known.current.frames, ...more]) : [] };
  }
  const [frame] = known.current.frames;
  useEffect(() => {
    if (!frame) return undefined;
    const show = (frames: readonly Frame[]): void => {
      known.current = { ...known.current, frames };
      redraw((count) => count + 1);
    };
    const timer = setTimeout(() => show(known.current.frames.slice(1)), frame.durationMs);
    const skip = (event: Event): void => {
      if (!(event instanceof KeyboardEvent) || event.key === "Escape") show([]);
    };
    addEventListener("click", skip);
    addEventListener("keydown", skip);
    return () => {
      clearTimeout(timer);
      removeEventListener("click", skip);
      removeEventListener("keydown", skip);
    };
  }, [frame]);
  return useMemo(() => {
    const shown = frame ? all.slice(0, frame.count) : all;
    return {
      pieces: frame?.pieces ?? position.scene?.pieces ?? [],
      latestEvent: shown[shown.length - 1],
      touched: new Set([...shown].reverse().find(({ effect }) => effect?.touched.length)?.effect?.touched),
      pending: all.slice(shown.length).flatMap(({ effect }) => effect?.gains ?? []),
      isRunning: frame !== undefined,
    };
  }, [position, all, frame]);
}

type MovedEntry = Extract<api.Entry, { moved: object }>;

function isMoved(entry: api.Entry): entry is MovedEntry {
  return "moved" in entry;
}

function eventsUpTo(position: api.Position, entries: readonly api.Entry[]): api.Event[] {
  const last = Number(position.sequence);
  return entries.filter(isMoved).flatMap(({ sequence, moved }) => (Number(sequence) <= last ? moved.events : []));
}

/** Whether the player sees the page, and wants animations. */
function isWanted(): boolean {
  return !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Returns the frames between two positions, for the entries of which the server sent the pieces. */
export function framesBetween(before: api.Position, after: api.Position, entries: readonly api.Entry[]): Frame[] {
  const [from, to] = [Number(before.sequence), Number(after.sequence)];
  const moved = entries.filter(isMoved);
  const news = moved.filter(({ sequence }) => Number(sequence) > from && Number(sequence) <= to);
  const events = news.reduce((sum, one) => sum + one.moved.events.length, 0);
  if (events > MAX_EVENTS) return [];
  let count = moved.reduce((sum, one) => sum + (Number(one.sequence) <= from ? one.moved.events.length : 0), 0);
  let pieces: readonly api.ScenePiece[] = before.scene?.pieces ?? [];
  return news.flatMap(({ seat, moved: { frames, events: shown } }) => {
    const isOwn = seat !== undefined && seat === after.seat;
    if (!frames.length) count += shown.length;
    let place = 0;
    return frames.flatMap((frame) => {
      const step = applyFrame(pieces, frame);
      pieces = step;
      return Array.from({ length: frame.events }, () => {
        count += 1;
        place += 1;
        return { pieces: step, count, durationMs: place > 1 ? EVENT_MS : isOwn ? OWN_MS : ENTRY_MS };
      });
    });
  });
}

/** Shortens the frames if they take longer than the limit in total. */
function shortenFrames(frames: readonly Frame[]): readonly Frame[] {
  const total = frames.reduce((sum, { durationMs }) => sum + durationMs, 0);
  if (total <= MAX_TOTAL_MS) return frames;
  return frames.map((frame) => ({ ...frame, durationMs: (frame.durationMs * MAX_TOTAL_MS) / total }));
}
