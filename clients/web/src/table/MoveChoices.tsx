import type { ComponentChildren, JSX } from "preact";
import type { NextStep } from "../selection.js";
import { useSetting } from "../settings.js";
import { TextWithRules, RuleLink } from "../text.js";
import { digitsOf, withoutDuplicates } from "./moveDigits.js";
import type { MoveSelection } from "./useMoveSelection.js";
import { t } from "../texts/texts.js";

interface MoveChoicesProps {
  moveSelection: MoveSelection;
  isSeated: boolean;
  /** Whether something on the table stands for a step, so that it can be selected there. */
  isOnTable: (target: string) => boolean;
  /** Buttons beside *Undo*. */
  children?: ComponentChildren;
}

/** What is selected, the possible moves in words, and *Undo* and *Confirm*. The whole game can be played from here. */
export function MoveChoices({ moveSelection, isSeated, isOnTable, children }: MoveChoicesProps): JSX.Element {
  const { selection, onConfirm, undo } = moveSelection;
  const { move, targets, next } = selection;
  const [isListed, setListed] = useSetting("list");
  const offered = withoutDuplicates([...next.values()]);
  const canHide = offered.every(({ target }) => isOnTable(target));
  const isShown = isListed || !canHide;
  return (
    <section class="choices" aria-label={t("choices")}>
      <Question {...{ moveSelection, isSeated }} />
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
            {t("choices-undo")}
          </button>
        )}
        {children}
        {canHide && offered.length > 0 && (
          <button class="button quiet list-toggle" aria-expanded={isShown} onClick={() => setListed(!isListed)}>
            <span>
              {t("choices-list")}
              <span class="rest">{t("choices-list-rest")}</span>
            </span>
          </button>
        )}
        {move && (
          <button class="button now confirm" onClick={() => onConfirm(move)}>
            {t("choices-confirm")}
          </button>
        )}
      </div>
    </section>
  );
}

/** What is selected so far, or why the server refused the last move. The header says who has to do what. */
function Question({ moveSelection, isSeated }: Pick<MoveChoicesProps, "moveSelection" | "isSeated">): JSX.Element {
  const { selection, busy, refused } = moveSelection;
  const { move, paths, targets } = selection;
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
  return <p class="question soft">{busy ? t("choices-sending") : isSeated ? "" : t("choices-watching")}</p>;
}

interface GroupProps {
  heading: string;
  nexts: readonly NextStep[];
  /** All steps offered, which digits select. */
  offered: readonly NextStep[];
  onSelect: (target: string) => void;
}

function Group({ heading, nexts, offered, onSelect }: GroupProps): JSX.Element {
  return (
    <div class="group">
      {heading && <h2>{heading}</h2>}
      {nexts.map((next) => {
        const digits = digitsOf(offered.indexOf(next), offered.length);
        const { target, label, only } = next;
        const keys = digits.length > 1 ? { "aria-description": t("choices-keys", { keys: [...digits].join(" ") }) } : { "aria-keyshortcuts": digits };
        return (
          <button key={target} class="button word" onClick={() => onSelect(target)} {...(digits && { ...keys, "data-keys": digits })}>
            {only ? label : `${label} …`}
          </button>
        );
      })}
    </div>
  );
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
