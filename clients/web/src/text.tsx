import type { api } from "skerry-client";
import type { JSX } from "preact";
import { showTab } from "./drawerTab.js";
import { SeatMark } from "./seatMarks.js";
import { locale } from "./texts/language.js";
import { t } from "./texts/texts.js";

/** Returns the name of a seat's player, or its number. */
export function seatName(seat: api.Seat): string {
  return seat.displayName ?? t("seat-name", { seat: seat.seat + 1 });
}

/** Returns the names of all seats, by number. */
export function seatNames(session: api.Session): string[] {
  return session.seats.map(seatName);
}

/** A player's name. It is isolated, so that a right-to-left name does not reorder the sentence around it. */
export function PlayerName({ seat, name }: { seat?: number; name: string }): JSX.Element {
  return (
    <span class="player-name">
      {seat !== undefined && <SeatMark seat={seat} />}
      <bdi class="name">{name}</bdi>
    </span>
  );
}

/** Several names in a sentence, "Ada and Ben", each isolated. */
export function PlayerNames({ names }: { names: readonly string[] }): JSX.Element {
  const parts = new Intl.ListFormat(locale()).formatToParts(names);
  return <>{parts.map(({ type, value }, place) => (type === "element" ? <bdi key={place} class="name">{value}</bdi> : value))}</>;
}

/** The text of an event, with the players' names inserted into its template. */
export function EventText({ text, template, names }: { text: string; template?: string; names: readonly string[] }): JSX.Element {
  if (template === undefined) return <TextWithRules text={text} />;
  const parts = template.split(/\{(\d+)\}/);
  return (
    <>
      {parts.map((part, place) => {
        const seat = Number(part);
        return place % 2 ? <PlayerName key={place} seat={seat} name={names[seat] ?? part} /> : <TextWithRules key={place} text={part} />;
      })}
    </>
  );
}

/** A text whose rule ids are links to the rules. */
export function TextWithRules({ text }: { text: string }): JSX.Element {
  const parts = text.split(/\b([A-Z]{4,}(?:-[A-Z]+)+-\d+)\b/);
  return <>{parts.map((part, place) => (place % 2 ? <RuleLink key={place} id={part} /> : part))}</>;
}

/** A link that shows a rule in the drawer. */
export function RuleLink({ id }: { id: string }): JSX.Element {
  const show = (event: MouseEvent): void => {
    event.preventDefault();
    showTab("rules");
    requestAnimationFrame(() => {
      const rule = document.getElementById(`rule-${id}`);
      rule?.scrollIntoView({ block: "center" });
      rule?.focus();
    });
  };
  return (
    <a href={`#rule-${id}`} onClick={show}>
      {id}
    </a>
  );
}
