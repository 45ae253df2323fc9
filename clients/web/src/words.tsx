import type { api } from "skerry-client";
import { Fragment, type JSX } from "preact";
import { Mark } from "./marks.js";

/** What a seat is called. */
export function nameOf(seat: api.Seat): string {
  return seat.displayName ?? `Seat ${seat.seat + 1}`;
}

/** What all seats are called, by number. */
export function namesOf(session: api.Session): string[] {
  return session.seats.map(nameOf);
}

/** A name, whatever is in it: isolated, so that its direction does not turn the sentence around. */
export function Name({ seat, name }: { seat?: number; name: string }): JSX.Element {
  return (
    <span class="who">
      {seat !== undefined && <Mark seat={seat} />}
      <bdi class="name">{name}</bdi>
    </span>
  );
}

/** Several names in a sentence, "Ada, Ben and Cleo", each isolated. */
export function Names({ names }: { names: readonly string[] }): JSX.Element {
  return (
    <>
      {names.map((name, place) => (
        <Fragment key={place}>
          {place > 0 && (place < names.length - 1 ? ", " : " and ")}
          <bdi class="name">{name}</bdi>
        </Fragment>
      ))}
    </>
  );
}

/** A sentence of the server, with the players' names put in as names. */
export function Sentence({ text, template, names }: { text: string; template?: string; names: readonly string[] }): JSX.Element {
  if (template === undefined) return <Ruled text={text} />;
  const parts = template.split(/\{(\d+)\}/);
  return (
    <>
      {parts.map((part, place) => {
        const seat = Number(part);
        return place % 2 ? <Name key={place} seat={seat} name={names[seat] ?? part} /> : <Ruled key={place} text={part} />;
      })}
    </>
  );
}

/** A text in which ids of rules lead to the rules. */
export function Ruled({ text }: { text: string }): JSX.Element {
  const parts = text.split(/\b([A-Z]{4,}(?:-[A-Z]+)+-\d+)\b/);
  return <>{parts.map((part, place) => (place % 2 ? <RuleLink key={place} id={part} /> : part))}</>;
}

/** A link to a rule in the panel of rules, which opens for it. */
export function RuleLink({ id }: { id: string }): JSX.Element {
  const show = (event: MouseEvent): void => {
    const rule = document.getElementById(`rule-${id}`);
    if (!rule) return;
    event.preventDefault();
    rule.closest("details")?.setAttribute("open", "");
    rule.scrollIntoView({ block: "center" });
    rule.focus();
  };
  return (
    <a href={`#rule-${id}`} onClick={show}>
      {id}
    </a>
  );
}
