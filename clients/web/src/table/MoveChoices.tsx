import type { api } from "skerry-client";
import type { JSX } from "preact";
import type { NextStep } from "../selection.js";
import { TextWithRules, RuleLink } from "../text.js";
import type { MoveSelection } from "./useMoveSelection.js";

interface MoveChoicesProps {
  moveSelection: MoveSelection;
  isSeated: boolean;
}

/** The possible moves in words. The whole game can be played from here, without the board. */
export function MoveChoices({ moveSelection, isSeated }: MoveChoicesProps): JSX.Element {
  const { selection, busy, refused } = moveSelection;
  const isOpen = selection.next.size > 0 || selection.move !== undefined;
  return (
    <section class="choices" aria-label="What you can do">
      {refused && (
        <p class="refusal" role="alert">
          <TextWithRules text={refused.text} /> {refused.rule && !refused.text.includes(refused.rule) && <RuleLink id={refused.rule} />}
        </p>
      )}
      {selection.targets.length > 0 && <SelectedSteps moveSelection={moveSelection} />}
      {!isOpen && <p class="soft quiet">{busy ? "Sending your move …" : idleText(isSeated)}</p>}
      {grouped(withoutDuplicates([...selection.next.values()])).map(([heading, nexts]) => (
        <Group key={heading} heading={selection.targets.length ? "" : heading} nexts={nexts} onSelect={moveSelection.onSelect} />
      ))}
    </section>
  );
}

function idleText(isSeated: boolean): string {
  return isSeated ? "It is not your turn." : "You are watching.";
}

/** The steps selected so far, with a button that undoes them and, for a complete move, a button that confirms it. */
function SelectedSteps({ moveSelection }: { moveSelection: MoveSelection }): JSX.Element {
  const { move, paths, targets } = moveSelection.selection;
  const steps = paths[0]?.steps.slice(0, targets.length).map(({ label }) => label) ?? [];
  return (
    <div class="selection-bar" role="status">
      <strong>{move ? move.text : `${steps.join(" ")} …`}</strong>
      {move && (
        <button class="button now" onClick={() => moveSelection.onConfirm(move)}>
          Confirm
        </button>
      )}
      <button class="button" onClick={moveSelection.undo}>
        Undo
      </button>
    </div>
  );
}

interface GroupProps {
  heading: string;
  nexts: readonly NextStep[];
  onSelect: (target: string) => void;
}

function Group({ heading, nexts, onSelect }: GroupProps): JSX.Element {
  return (
    <div class="group">
      {heading && <h2>{heading}</h2>}
      <div class="words">
        {nexts.map(({ target, label, only }) => (
          <button key={target} class="button word" onClick={() => onSelect(target)}>
            {only ? label : `${label} …`}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Returns the next steps without duplicates: of steps that lead to the same move, or read alike and lead on alike, the first. */
function withoutDuplicates(nexts: readonly NextStep[]): NextStep[] {
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
