import type { api } from "skerry-client";
import { useState } from "preact/hooks";
import { lessonProgress, storeLessonProgress } from "../storage.js";

/** The lesson at a table, as far as the learner has come. */
export interface LessonState {
  /** The step shown. Absent while the opponents move. */
  step: api.LessonStep | undefined;
  /** The number of the step from 1, and the number of steps. */
  number: number;
  count: number;
  isLast: boolean;
  /** The legal moves that the step allows. */
  moves: readonly api.Move[];
  marks: ReadonlySet<string>;
  /** Leads on from a step that only has to be read. */
  next: () => void;
  /** Ends the lesson. The game goes on. */
  skip: () => void;
}

/** The progress of a learner who has skipped or finished the lesson. */
const DONE = -1;

/**
 * Returns the lesson of a session, or `undefined` if it is none, is over, or no longer fits the position. Its progress
 * follows from the position and from a number that this browser keeps.
 */
export function useLesson(session: api.Session, position: api.Position, game: api.Game, isRunning: boolean): LessonState | undefined {
  const [stored, setStored] = useState(() => (session.lesson ? lessonProgress(session.name) : DONE));
  const steps = game.lesson?.steps ?? [];
  const place = placeOf(steps, position, stored);
  if (stored === DONE || place === undefined || session.outcome || position.seat !== game.lesson?.seat) return undefined;
  const goTo = (reached: number): void => {
    storeLessonProgress(session.name, reached);
    setStored(reached);
  };
  const step = isRunning ? undefined : steps[place];
  const isLast = place === steps.length - 1;
  return {
    step,
    number: Math.min(place + 1, steps.length),
    count: steps.length,
    isLast,
    moves: isLast ? position.legalMoves : step ? allowedMoves(step, position.legalMoves, game.id) : [],
    marks: new Set(step?.marks),
    next: () => goTo(isLast ? DONE : place + 1),
    skip: () => goTo(DONE),
  };
}

/**
 * Returns the place of the step for a position: of the steps at its entry, the one reached. While the opponents move, it is
 * the place of the step that comes next. After the last step with a move, the steps that remain are read whatever the
 * opponents do. Absent if the lesson no longer fits.
 */
export function placeOf(steps: readonly api.LessonStep[], { sequence, legalMoves }: api.Position, reached: number): number | undefined {
  if (steps[reached]?.sequence === sequence) return reached;
  const first = steps.findIndex((step) => step.sequence === sequence);
  if (first >= 0) return first;
  const closing = steps.map((step) => step.moves.length > 0).lastIndexOf(true) + 1;
  if (closing < steps.length && Number(sequence) > Number(steps[closing]!.sequence)) return Math.max(closing, reached);
  const coming = steps.findIndex((step) => Number(step.sequence) > Number(sequence));
  return coming >= 0 && !legalMoves.length ? coming : undefined;
}

/** Returns the legal moves that a step allows. */
export function allowedMoves({ moves }: api.LessonStep, legal: readonly api.Move[], game: string): api.Move[] {
  const keyOf = (move: api.Move): string => JSON.stringify((move as unknown as Record<string, unknown>)[game]);
  const allowed = new Set(moves.map(keyOf));
  return legal.filter((move) => allowed.has(keyOf(move)));
}
