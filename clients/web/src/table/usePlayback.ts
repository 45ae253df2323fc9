import type { api, SessionHandle } from "skerry-client";
import { useEffect, useMemo, useState } from "preact/hooks";
import { listen } from "../listen.js";
import { lastSeen, storeSeen } from "../storage.js";
import {
  advance,
  arrive,
  begin,
  countMissed,
  latestShown,
  type LogPoint,
  type MissedMoves,
  pendingGains,
  type PlaybackState,
  positionsToRead,
  review,
  seenUpTo,
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
  /** The ids of the places and pieces of the event that is being shown. */
  lit: ReadonlySet<string>;
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
  /** Shows the missed moves one by one. Throws if the server refuses to send their positions. */
  onReview: () => Promise<void>;
}

/**
 * Shows the events that led to a new position one by one, if the server sent the pieces after them. A click or Escape skips
 * the rest. `isPast`: the player looks at an earlier position, so nothing is animated. `handle`: reads the positions that a
 * player missed who comes back to the table.
 */
export function usePlayback(position: api.Position, entries: readonly api.Entry[], isPast: boolean, handle: SessionHandle | undefined): Playback {
  const [known, setState] = useState<PlaybackState>(() => begin(position, entries, handle && lastSeen(handle.name)));
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
    const end = listen(["click", "keydown", "visibilitychange"], skipAll);
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [step]);
  useEffect(() => {
    if (handle && !isPast) storeSeen(handle.name, seenUpTo(state));
  }, [handle, state]);
  const onReview = async (): Promise<void> => {
    const reads = positionsToRead(state, entries).map((sequence) => handle?.read({ sequence, view: "scene" }));
    const positions = (await Promise.all(reads)).flatMap((read) => read?.position ?? []);
    // After the click that asked for it, which would skip the first step. What arrived meanwhile is reviewed by a further click.
    setTimeout(() => setState((now) => (now.position === state.position ? review(now, entries, positions) : now)));
  };
  const length = entries.length;
  return useMemo(() => {
    const shown = shownUpTo(state);
    const latestEvent = latestShown(entries, position, shown);
    return {
      pieces: step?.pieces ?? position.scene?.pieces ?? [],
      latestEvent,
      lit: new Set(step && latestEvent?.effect?.touched),
      touched: touchedSince(entries, position, shown),
      pending: pendingGains(entries, shown),
      isRunning: step !== undefined,
      ...{ step, shown },
      missed: countMissed(state, entries),
      onReview,
    };
  }, [state, entries, length, handle]);
}

/** Whether the player sees the page, and wants to see each event. */
function isWanted(): boolean {
  return !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
