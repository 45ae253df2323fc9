import type { api } from "skerry-client";
import { useEffect, useMemo, useState } from "preact/hooks";
import {
  advance,
  arrive,
  canReview,
  countMissed,
  latestShown,
  type LogPoint,
  type MissedMoves,
  pendingGains,
  type PlaybackState,
  review,
  shownUpTo,
  skip,
  type Step,
  touchedSince,
} from "./playback.js";

/** What the page shows: the position or, while new events are shown one by one, the table after the latest event shown. */
export interface Playback {
  /** The pieces to draw. */
  pieces: readonly api.ScenePiece[];
  /** The latest event shown. */
  latestEvent: api.Event | undefined;
  /** The ids of the places and pieces that others have touched since the viewer's last move. */
  touched: ReadonlySet<string>;
  /** The points of the events that have not been shown yet. */
  pending: readonly api.Gain[];
  /** Whether more events are waiting to be shown. */
  isRunning: boolean;
  /** The event that is being shown. */
  step: Step | undefined;
  /** How far the log is shown. Absent: to its end. */
  shown: LogPoint | undefined;
  /** The moves of others that were not shown one by one. */
  missed: readonly MissedMoves[];
  /** Whether they can be shown one by one. */
  canReview: boolean;
  /** Shows the missed moves one by one. */
  onReview: () => void;
}

/**
 * Shows the events that led to a new position one by one, if the server sent the pieces after them. A click or Escape skips
 * the rest. `isPast`: the player looks at an earlier position, so nothing is animated.
 */
export function usePlayback(position: api.Position, entries: readonly api.Entry[], isPast: boolean): Playback {
  const [known, setState] = useState<PlaybackState>({ position, isPast, steps: [], missedFrom: undefined });
  const isChanged = known.position !== position || known.isPast !== isPast;
  const state = isChanged ? arrive(known, { position, isPast, entries, isWanted: isWanted() }) : known;
  if (isChanged) setState(state); // before anything is drawn: the new position must not be visible for a moment
  const [step] = state.steps;
  useEffect(() => {
    if (!step) return undefined;
    const timer = setTimeout(() => setState(advance), step.durationMs);
    const skipAll = (event: Event): void => {
      const isWish = event instanceof KeyboardEvent ? event.key === "Escape" : event.type === "click" || document.hidden;
      if (isWish) setState((before) => skip(before, entries));
    };
    addEventListener("click", skipAll);
    addEventListener("keydown", skipAll);
    document.addEventListener("visibilitychange", skipAll);
    return () => {
      clearTimeout(timer);
      removeEventListener("click", skipAll);
      removeEventListener("keydown", skipAll);
      document.removeEventListener("visibilitychange", skipAll);
    };
  }, [step]);
  const length = entries.length;
  return useMemo(() => {
    const shown = shownUpTo(state);
    return {
      pieces: step?.pieces ?? position.scene?.pieces ?? [],
      latestEvent: latestShown(entries, position, shown),
      touched: touchedSince(entries, position, shown),
      pending: pendingGains(entries, shown),
      isRunning: step !== undefined,
      ...{ step, shown },
      missed: countMissed(state, entries),
      canReview: canReview(state, entries),
      // After the click that asked for it, which would skip the first step.
      onReview: () => void setTimeout(() => setState((before) => review(before, entries))),
    };
  }, [state, entries, length]);
}

/** Whether the player sees the page, and wants to see each event. */
function isWanted(): boolean {
  return !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
