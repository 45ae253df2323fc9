import type { api } from "skerry-client";
import type { ComponentChildren, JSX } from "preact";
import type { NextStep } from "../selection.js";
import { useSetting } from "../settings.js";
import { TextWithRules, RuleLink } from "../text.js";
import type { MoveSelection } from "./useMoveSelection.js";

interface MoveChoicesProps {
  moveSelection: MoveSelection;
  /** What is asked of the player: "play a card". */
  task: string;
  isSeated: boolean;
  /** Whether something on the table stands for a step, so that it can be selected there. */
  isOnTable: (target: string) => boolean;
  /** Buttons beside *Undo*. */
  children?: ComponentChildren;
}

/** The question, the possible moves in words, and *Undo* and *Confirm*. The whole game can be played from here. */
export function MoveChoices({ moveSelection, task, isSeated, isOnTable, children }: MoveChoicesProps): JSX.Element {
  const { selection, onConfirm, undo } = moveSelection;
  const { move, targets, next } = selection;
  const [isListed, setListed] = useSetting("list");
  const offered = withoutDuplicates([...next.values()]);
  const canHide = offered.every(({ target }) => isOnTable(target));
  const isShown = isListed || !canHide;
  return (
    <section class="choices" aria-label="What you can do">
      <Question {...{ moveSelection, task, isSeated }} />
      {isShown && offered.length > 0 && (
        <div class="list" tabIndex={-1}>
          {grouped(offered).map(([heading, nexts]) => (
            <Group key={heading} heading={targets.length ? "" : heading} {...{ nexts, offered }} onSelect={moveSelection.onSelect} />
          ))}
        </div>
      )}
      <div class="bar">
        {targets.length > 0 && (
          <button class="button undo" onClick={undo}>
            Undo
          </button>
        )}
        {children}
        {canHide && offered.length > 0 && (
          <button class="button quiet list-toggle" aria-expanded={isShown} onClick={() => setListed(!isListed)}>
            List of moves
          </button>
        )}
        {move && (
          <button class="button now confirm" onClick={() => onConfirm(move)}>
            Confirm
          </button>
        )}
      </div>
    </section>
  );
}

/** What to do, what is selected so far, or why the server refused the last move. */
function Question({ moveSelection, task, isSeated }: Pick<MoveChoicesProps, "moveSelection" | "task" | "isSeated">): JSX.Element {
  const { selection, busy, refused } = moveSelection;
  const { move, paths, targets, next } = selection;
  if (refused) {
    return (
      <p class={refused.isExplanation ? "question" : "question refusal"} role="alert">
        <TextWithRules text={refused.text} /> {refused.rule && !refused.text.includes(refused.rule) && <RuleLink id={refused.rule} />}
      </p>
    );
  }
  if (targets.length) {
    const steps = paths[0]?.steps.slice(0, targets.length).map(({ label }) => label) ?? [];
    return (
      <p class="question selection-bar" role="status">
        <strong>{move ? move.text : `${steps.join(" ")} …`}</strong>
      </p>
    );
  }
  if (next.size) return <p class="question">{capitalized(task)}.</p>;
  return <p class="question soft">{busy ? "Sending your move …" : isSeated ? "It is not your turn." : "You are watching."}</p>;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface GroupProps {
  heading: string;
  nexts: readonly NextStep[];
  /** All steps offered, which number keys select. */
  offered: readonly NextStep[];
  onSelect: (target: string) => void;
}

function Group({ heading, nexts, offered, onSelect }: GroupProps): JSX.Element {
  return (
    <div class="group">
      {heading && <h2>{heading}</h2>}
      {nexts.map((next) => {
        const number = offered.indexOf(next) + 1;
        const { target, label, only } = next;
        return (
          <button key={target} class="button word" onClick={() => onSelect(target)} {...(number < 10 && { "aria-keyshortcuts": `${number}` })}>
            {only ? label : `${label} …`}
          </button>
        );
      })}
    </div>
  );
}

/** Returns the next steps without duplicates: of steps that lead to the same move, or read alike and lead on alike, the first. */
export function withoutDuplicates(nexts: readonly NextStep[]): NextStep[] {
  const isSame = (one: NextStep, other: NextStep): boolean =>
    one.only ? one.only === other.only : one.label === other.label && movesOf(one).every((move, place) => movesOf(other)[place] === move);
  return nexts.filter((next, place) => nexts.findIndex((other) => isSame(next, other)) === place);
}

function movesOf({ paths }: NextStep): api.Move[] {
  return paths.map(({ move }) => move);
}

/** Groups the next steps by the headings of their moves. */
function grouped(nexts: readonly NextStep[]): [string, NextStep[]][] {
  const groups = new Map<string, NextStep[]>();
  for (const next of nexts) {
    const heading = next.paths[0]?.heading ?? "";
    groups.set(heading, [...(groups.get(heading) ?? []), next]);
  }
  return [...groups];
}
