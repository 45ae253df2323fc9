import type { JSX } from "preact";
import type { Next } from "../choice.js";
import { Ruled, RuleLink } from "../words.js";
import type { Choosing } from "./choosing.js";

interface ChoicesProps {
  choosing: Choosing;
  headings: Readonly<Record<string, string>>;
  isSeated: boolean;
}

/** What can be done now, in words: the whole game can be played from here, without the picture. */
export function Choices({ choosing, headings, isSeated }: ChoicesProps): JSX.Element {
  const { choice, busy, refused } = choosing;
  const isOpen = choice.next.size > 0 || choice.move !== undefined;
  return (
    <section class="choices" aria-label="What you can do">
      {refused && (
        <p class="refusal" role="alert">
          <Ruled text={refused.text} /> {refused.rule && !refused.text.includes(refused.rule) && <RuleLink id={refused.rule} />}
        </p>
      )}
      {choice.taken.length > 0 && <Taken choosing={choosing} />}
      {!isOpen && <p class="soft quiet">{busy ? "Sending your move …" : idle(isSeated)}</p>}
      {grouped(worded([...choice.next.values()])).map(([kind, nexts]) => (
        <Group key={kind} heading={choice.taken.length ? "" : (headings[kind] ?? "")} nexts={nexts} onTouch={choosing.onTouch} />
      ))}
    </section>
  );
}

function idle(isSeated: boolean): string {
  return isSeated ? "It is not your turn." : "You are watching.";
}

/** What has been chosen so far, with the way back and, once it is whole, the way on. */
function Taken({ choosing }: { choosing: Choosing }): JSX.Element {
  const { move, ways, taken } = choosing.choice;
  const steps = ways[0]?.steps.slice(0, taken.length).map(({ label }) => label) ?? [];
  return (
    <div class="taken-bar" role="status">
      <strong>{move ? move.text : `${steps.join(" ")} …`}</strong>
      {move && (
        <button class="button now" onClick={() => choosing.onDo(move)}>
          Confirm
        </button>
      )}
      <button class="button" onClick={choosing.takeBack}>
        Undo
      </button>
    </div>
  );
}

interface GroupProps {
  heading: string;
  nexts: readonly Next[];
  onTouch: (at: string) => void;
}

function Group({ heading, nexts, onTouch }: GroupProps): JSX.Element {
  return (
    <div class="group">
      {heading && <h2>{heading}</h2>}
      <div class="words">
        {nexts.map(({ at, label, only }) => (
          <button key={at} class="button word" onClick={() => onTouch(at)}>
            {only ? label : `${label} …`}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Returns what can be touched next, without other ways to what one of them leads to. */
function worded(nexts: readonly Next[]): Next[] {
  return nexts.filter(({ only }, place) => !only || nexts.findIndex((other) => other.only === only) === place);
}

/** Returns what can be touched next by the kind of move that it begins. */
function grouped(nexts: readonly Next[]): [string, Next[]][] {
  const groups = new Map<string, Next[]>();
  for (const next of nexts) {
    const kind = next.ways[0]?.kind ?? "";
    groups.set(kind, [...(groups.get(kind) ?? []), next]);
  }
  return [...groups];
}
