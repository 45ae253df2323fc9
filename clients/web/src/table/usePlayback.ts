import type { api } from "skerry-client";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type GameUi, forGame } from "../games/ui.js";

/** What the board shows: the position or, while new events are animated, the view after the latest event shown. */
export interface Playback {
  /** The game's view to draw. */
  view: unknown;
  /** The game's events up to the view, in order. */
  events: readonly unknown[];
  /** The latest of these events. */
  latestEvent: api.Event | undefined;
  /** Whether more events are waiting to be shown. */
  isRunning: boolean;
}

/** The view after one event. */
interface Frame {
  view: unknown;
  /** The number of events up to and including this one. */
  count: number;
  /** How long the view is shown. */
  durationMs: number;
}

/** The longest time that new events are animated in total. */
const MAX_TOTAL_MS = 8000;

/** With more new events than this, the board shows the new position at once. */
const MAX_EVENTS = 200;

/**
 * Animates the events that led to a new position one by one, if the game supports that. A click or Escape skips the rest.
 * `isPast`: the player looks at an earlier position, so nothing is animated.
 */
export function usePlayback(
  position: api.Position,
  entries: readonly api.Entry[],
  ui: GameUi | undefined,
  isPast: boolean,
): Playback {
  const all = useMemo(() => eventsUpTo(position, entries), [position, entries]);
  const known = useRef<{ position: api.Position; isPast: boolean; frames: readonly Frame[] }>({
    position,
    isPast,
    frames: [],
  });
  const [, redraw] = useState(0);
  if (known.current.position !== position) {
    const isNew = !isPast && !known.current.isPast;
    const more = ui && isNew ? framesBetween(known.current.position, position, all, ui) : [];
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
  const shown = frame ? all.slice(0, frame.count) : all;
  return {
    view: frame?.view ?? (ui && forGame(position.view, ui)),
    events: useMemo(() => (ui ? shown.map(({ event }) => forGame(event, ui)) : []), [all, frame, ui]),
    latestEvent: shown[shown.length - 1]?.event,
    isRunning: frame !== undefined,
  };
}

interface NumberedEvent {
  sequence: number;
  event: api.Event;
}

function eventsUpTo(position: api.Position, entries: readonly api.Entry[]): NumberedEvent[] {
  const last = Number(position.sequence);
  return entries.flatMap((entry) =>
    "moved" in entry && Number(entry.sequence) <= last ? entry.moved.events.map((event) => ({ sequence: Number(entry.sequence), event })) : [],
  );
}

/** Returns the frames between two positions. Empty if the player wants no animation or the new position is not later. */
function framesBetween(before: api.Position, after: api.Position, all: readonly NumberedEvent[], ui: GameUi): Frame[] {
  const { playback } = ui;
  const [from, to] = [Number(before.sequence), Number(after.sequence)];
  const news = all.filter(({ sequence }) => sequence > from && sequence <= to).length;
  if (!playback || news > MAX_EVENTS || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return [];
  const frames: Frame[] = [];
  let view = forGame(before.view, ui);
  for (const [place, { sequence, event }] of all.entries()) {
    if (sequence <= from || sequence > to) continue;
    view = playback.apply(view, forGame(event, ui), before.seat);
    const durationMs = playback.durationMs(forGame(event, ui));
    if (durationMs) frames.push({ view, count: place + 1, durationMs });
  }
  return frames;
}

/** Shortens the frames if they take longer than the limit in total. */
function shortenFrames(frames: readonly Frame[]): readonly Frame[] {
  const total = frames.reduce((sum, { durationMs }) => sum + durationMs, 0);
  if (total <= MAX_TOTAL_MS) return frames;
  return frames.map((frame) => ({ ...frame, durationMs: (frame.durationMs * MAX_TOTAL_MS) / total }));
}
