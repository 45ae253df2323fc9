import type { api } from "skerry-client";
import type { JSX, RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import { listen } from "../listen.js";
import { defaultLevel, levelName } from "../LevelSelect.js";
import { createTable } from "../session/tableActions.js";
import { lastPlayerName } from "../storage.js";
import { useAttempt } from "../useAttempt.js";
import { answerTo, type LessonState } from "./useLesson.js";
import { t } from "../texts/texts.js";

interface LessonPanelProps {
  lesson: LessonState;
  game: api.Game;
  /** The screen, whose places and pieces the step answers for. */
  root: RefObject<HTMLElement | null>;
  /** Whether the learner can select an element now. */
  isOpen: (target: string) => boolean;
  /** What begins or continues a legal move, also of those that the step does not allow. */
  legal: ReadonlySet<string>;
}

/** The step of a lesson: its sentences, the answer to a wrong choice, and the buttons that lead on. */
export function LessonPanel({ lesson, game, root, isOpen, legal }: LessonPanelProps): JSX.Element {
  const { step, number, count, isLast, next, skip } = lesson;
  const answer = useAnswer(root, isLast ? undefined : step, (target) => (step && !isOpen(target) ? answerTo(step, target, legal) : ""));
  return (
    <section class="lesson" aria-label={t("lesson")}>
      <p aria-live="polite">
        <span class="soft small">{t("lesson-step", { number, count })}</span>{" "}
        <strong>{step?.text ?? t("lesson-watch")}</strong> {step?.more}
      </p>
      {answer && (
        <p class="answer" role="alert">
          {answer}
        </p>
      )}
      <div class="row">
        {isLast && <PlayButton game={game} />}
        {step && !step.moves.length && (
          <button class="button now" onClick={next}>
            {isLast ? t("lesson-play-on") : t("lesson-next")}
          </button>
        )}
        {!isLast && (
          <button class="button quiet" onClick={skip}>
            {t("lesson-skip")}
          </button>
        )}
      </div>
    </section>
  );
}

/** Starts a game like the lesson's against the weakest bots that think. */
function PlayButton({ game }: { game: api.Game }): JSX.Element {
  const { refused, attempt, isBusy } = useAttempt();
  const { seats = 2, seat: own = 0 } = game.lesson ?? {};
  const level = defaultLevel(game.levels);
  const others = Array.from({ length: seats }, (_, seat) => seat).filter((seat) => seat !== own);
  const bots = Object.fromEntries(others.map((seat) => [seat, level]));
  const play = (): void => {
    const setup = { game: game.id, seats, bots, options: {}, isListed: false, hasCode: false, hasUndo: false };
    attempt(() => createTable(setup, lastPlayerName() || t("player")));
  };
  return (
    <>
      <button class="button now" disabled={isBusy} onClick={play}>
        {t("lesson-play", { level: levelName(level) })}
      </button>
      {refused && <span role="alert">{refused}</span>}
    </>
  );
}

/** Returns the lesson's answer to the last thing that the learner touched. */
function useAnswer(root: RefObject<HTMLElement | null>, step: api.LessonStep | undefined, answerFor: (target: string) => string): string {
  const [answer, setAnswer] = useState({ step, text: "" });
  useEffect(() => {
    if (!step?.moves.length) return undefined;
    const clicked = ({ clientX, clientY }: MouseEvent): void => {
      // A pane can capture the pointer, so that it is the target of the event.
      const id = document.elementFromPoint(clientX, clientY)?.closest<SVGElement>("[data-id]")?.dataset["id"];
      if (id === undefined) return;
      setAnswer({ step, text: answerFor(id) });
    };
    return listen(["click"], clicked, root.current, true);
  }, [step, answerFor]);
  return answer.step === step ? answer.text : "";
}
