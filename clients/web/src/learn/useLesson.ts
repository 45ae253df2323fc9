import type { api } from "skerry-client";
import { useState } from "preact/hooks";
import { lessonProgress, storeLessonProgress } from "../storage.js";
import { countMoves } from "../session/standingMoves.js";
import { t } from "../texts/texts.js";

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

/** The entries of a lesson's log before its moves, as `LessonStep.sequence` counts them. */
const ENTRIES_BEFORE_PLAY = 3;

/** The progress of a learner who has skipped or finished the lesson. */
const DONE = -1;

/**
 * Returns the lesson of a session, or `undefined` if it is none, is over, or no longer fits the position. Its progress
 * follows from the position and from a number that this browser keeps.
 */
export function useLesson(session: api.Session, position: api.Position, entries: readonly api.Entry[], game: api.Game, isRunning: boolean): LessonState | undefined {
  const [stored, setStored] = useState(() => (session.lesson ? lessonProgress(session.name) : DONE));
  const steps = game.lesson?.steps ?? [];
  const reached = ENTRIES_BEFORE_PLAY + (steps.length ? countMoves(entries, Number(position.sequence)) : 0);
  const place = placeOf(steps, { sequence: reached, isToMove: position.legalMoves.length > 0 }, stored);
  if (!entries.length || stored === DONE || place === undefined || session.outcome || position.seat !== game.lesson?.seat) return undefined;
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

/** How far the game of a lesson has come. */
interface Progress {
  /** The number of the entry reached, as `LessonStep.sequence` counts entries: nudges, labels and moves taken back are none. */
  sequence: number;
  /** Whether the learner is to move. */
  isToMove: boolean;
}

/**
 * Returns the place of the step for a position: of the steps at its entry, the one reached. While the opponents move, it is
 * the place of the step that comes next. After the last step with a move, the steps that remain are read whatever the
 * opponents do. Absent if the lesson no longer fits.
 */
export function placeOf(steps: readonly api.LessonStep[], { sequence, isToMove }: Progress, reached: number): number | undefined {
  const at = ({ sequence: own }: api.LessonStep): boolean => Number(own) === sequence;
  if (steps[reached] && at(steps[reached])) return reached;
  const first = steps.findIndex(at);
  if (first >= 0) return first;
  const closing = steps.map((step) => step.moves.length > 0).lastIndexOf(true) + 1;
  if (closing < steps.length && sequence > Number(steps[closing]!.sequence)) return Math.max(closing, reached);
  const coming = steps.findIndex((step) => Number(step.sequence) > sequence);
  return coming >= 0 && !isToMove ? coming : undefined;
}

/** Returns the legal moves that a step allows. */
export function allowedMoves({ moves }: api.LessonStep, legal: readonly api.Move[], game: string): api.Move[] {
  const field = game.replace(/_./g, ([, letter]) => letter!.toUpperCase()) as keyof api.Move; // as JSON names it
  const keyOf = (move: api.Move): string => JSON.stringify(move[field]);
  const allowed = new Set(moves.map(keyOf));
  return legal.filter((move) => allowed.has(keyOf(move)));
}

/**
 * Returns the lesson's answer to a choice that the step does not allow. Empty if the lesson has none: the server then
 * explains why the target cannot be chosen. `legal`: what begins or continues a legal move, for which nothing speaks.
 */
export function answerTo({ moves, answers }: api.LessonStep, target: string, legal: ReadonlySet<string>): string {
  if (!moves.length) return "";
  return answers[target] ?? (legal.has(target) ? t("lesson-not-now") : "");
}
