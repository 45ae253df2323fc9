import type { api } from "skerry-client";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type GameUi, held } from "../games/ui.js";

/** What is shown of a game: its position, or, while news are told one by one, the picture after the latest of them. */
export interface Stage {
  /** The view to draw, as the game has it. */
  view: unknown;
  /** The game's events up to what is shown, in order. */
  events: readonly unknown[];
  /** The latest of them, as the server told it. */
  told: api.Event | undefined;
  /** Whether there is more to tell. */
  isRunning: boolean;
}

/** The picture after one event. */
interface Frame {
  view: unknown;
  /** How many events have been told by then, of all. */
  count: number;
  /** In milliseconds. */
  rest: number;
}

/** However much has happened, it is told within this time; in milliseconds. */
const LONGEST = 8000;

/** Who has been away for longer than so many events sees how things stand. */
const MOST = 200;

/**
 * Tells what is new in a position event by event, if its game says how. A click anywhere, or Escape, skips that.
 * `isPast`: an earlier position is looked at, where nothing is new.
 */
export function useStage(
  position: api.Position,
  entries: readonly api.Entry[],
  ui: GameUi | undefined,
  isPast: boolean,
): Stage {
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
    known.current = { position, isPast, frames: isNew ? hurried([...known.current.frames, ...more]) : [] };
  }
  const [frame] = known.current.frames;
  useEffect(() => {
    if (!frame) return undefined;
    const show = (frames: readonly Frame[]): void => {
      known.current = { ...known.current, frames };
      redraw((count) => count + 1);
    };
    const timer = setTimeout(() => show(known.current.frames.slice(1)), frame.rest);
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
    view: frame?.view ?? (ui && held(position.view, ui)),
    events: useMemo(() => (ui ? shown.map(({ event }) => held(event, ui)) : []), [all, frame, ui]),
    told: shown[shown.length - 1]?.event,
    isRunning: frame !== undefined,
  };
}

interface Dated {
  sequence: number;
  event: api.Event;
}

function eventsUpTo(position: api.Position, entries: readonly api.Entry[]): Dated[] {
  const last = Number(position.sequence);
  return entries.flatMap((entry) =>
    "moved" in entry && Number(entry.sequence) <= last ? entry.moved.events.map((event) => ({ sequence: Number(entry.sequence), event })) : [],
  );
}

/** Returns the pictures between two positions. None where they would disturb or go backwards. */
function framesBetween(before: api.Position, after: api.Position, all: readonly Dated[], ui: GameUi): Frame[] {
  const { telling } = ui;
  const [from, to] = [Number(before.sequence), Number(after.sequence)];
  const news = all.filter(({ sequence }) => sequence > from && sequence <= to).length;
  if (!telling || news > MOST || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return [];
  const frames: Frame[] = [];
  let view = held(before.view, ui);
  for (const [place, { sequence, event }] of all.entries()) {
    if (sequence <= from || sequence > to) continue;
    view = telling.after(view, held(event, ui), before.seat);
    const rest = telling.rest(held(event, ui));
    if (rest) frames.push({ view, count: place + 1, rest });
  }
  return frames;
}

/** Lets frames pass faster where all of them would take too long. */
function hurried(frames: readonly Frame[]): readonly Frame[] {
  const total = frames.reduce((sum, { rest }) => sum + rest, 0);
  return total <= LONGEST ? frames : frames.map((frame) => ({ ...frame, rest: (frame.rest * LONGEST) / total }));
}
