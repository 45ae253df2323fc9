import type { JSX } from "preact";
import type { NextStep } from "../selection.js";
import { TextWithRules, RuleLink } from "../text.js";
import type { MoveSelection } from "./useMoveSelection.js";

interface MoveChoicesProps {
  moveSelection: MoveSelection;
  headings: Readonly<Record<string, string>>;
  isSeated: boolean;
}

/** The possible moves in words. The whole game can be played from here, without the board. */
export function MoveChoices({ moveSelection, headings, isSeated }: MoveChoicesProps): JSX.Element {
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
      {grouped(withoutDuplicates([...selection.next.values()])).map(([kind, nexts]) => (
        <Group key={kind} heading={selection.targets.length ? "" : (headings[kind] ?? "")} nexts={nexts} onSelect={moveSelection.onSelect} />
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

/** Returns the next steps without duplicates: of several steps that lead to the same move, only the first. */
function withoutDuplicates(nexts: readonly NextStep[]): NextStep[] {
  return nexts.filter(({ only }, place) => !only || nexts.findIndex((other) => other.only === only) === place);
}

/** Groups the next steps by the kind of move. */
function grouped(nexts: readonly NextStep[]): [string, NextStep[]][] {
  const groups = new Map<string, NextStep[]>();
  for (const next of nexts) {
    const kind = next.paths[0]?.kind ?? "";
    groups.set(kind, [...(groups.get(kind) ?? []), next]);
  }
  return [...groups];
}
