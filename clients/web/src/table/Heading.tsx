import type { api } from "skerry-client";
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import quiet from "../icons/quiet.svg";
import turn from "../icons/turn.svg";
import { held } from "../games/ui.js";
import { kept } from "../keep.js";
import { Title } from "../Title.js";
import { Names, namesOf, Ruled } from "../words.js";
import { Clock, type ReadClocks } from "./Clock.js";
import { hasOneBank } from "./Going.js";
import type { Printed } from "./TablePage.js";

interface HeadingProps {
  session: api.Session;
  position: api.Position;
  printed: Printed;
  /** Whether it is a position of before. */
  isPast: boolean;
  /** Reads the clocks as they stand now. Absent where none is to be shown. */
  readClocks: ReadClocks | undefined;
}

/** The sentence that says who must do what: the first thing to be read, and what a screen reader announces. */
export function Heading({ session, position, printed, isPast, readClocks }: HeadingProps): JSX.Element {
  const isMine = !isPast && isTurnOf(session, position);
  const now = situation({ session, position, printed, isPast });
  useTitle(isMine ? `Your turn: ${printed.game.title}` : `${printed.game.title} – Skerry`, isMine);
  return (
    <div class={isMine ? "heading mine" : "heading"}>
      <Title text={printed.game.title} />
      <p role="status">{now}</p>
      {isLate(session, position) && <p class="soft small">You are watching with a delay{lateness(session.delay)}.</p>}
      {isMine && readClocks && position.seat !== undefined && <Clock seat={position.seat} who="You have" read={readClocks} />}
    </div>
  );
}

/** Returns that sentence. */
function situation({ session, position, printed, isPast }: Omit<HeadingProps, "readClocks">): ComponentChildren {
  const names = namesOf(session);
  if (position.outcome) return ending(position.outcome, names);
  const [first] = position.toAct;
  if (first === undefined) return isPast ? "Chance decides what happens next." : "One moment …";
  if (!isPast && rests(session)) return "The game is paused until a player returns.";
  const { ui } = printed;
  const task = ui ? ui.task(held(position.view, ui), position.seat ?? first) : "make a move";
  if (!isPast && isTurnOf(session, position)) return `Your turn: ${task}.`;
  return (
    <>
      <Names names={position.toAct.map((seat) => names[seat] ?? "")} />: {task}.
    </>
  );
}

/** Whether the game is shown late here: seats and the host see it as it stands. */
function isLate({ name, delay }: api.Session, { seat, outcome }: api.Position): boolean {
  return delay !== undefined && seat === undefined && !outcome && !kept(name)?.hostToken;
}

/** Says how late. By another kind of a newer server: late. */
function lateness(delay: api.SpectatorDelay | undefined): string {
  if (delay && "entries" in delay) return ` of ${delay.entries} log entries`;
  return delay && "seconds" in delay ? ` of ${delay.seconds} seconds` : "";
}

/** Whether no bot moves either, as no player is left and somebody may come back who did not leave on purpose. */
function rests({ seats, clock }: api.Session): boolean {
  const awaited = seats.some(({ substitute }) => substitute && isAwaited(substitute.cause, clock));
  return awaited && seats.every(({ occupant }) => occupant !== "OCCUPANT_PLAYER");
}

/** Whether somebody for whom a bot plays because of that may come back, and has not gone on purpose. */
function isAwaited(cause: api.SubstituteCause, clock: api.Clock | undefined): boolean {
  return cause === "SUBSTITUTE_CAUSE_ABSENT" || (cause === "SUBSTITUTE_CAUSE_OUT_OF_TIME" && !hasOneBank(clock));
}

/** Whether whoever looks is to move, and no substitute in their place. */
function isTurnOf({ seats }: api.Session, { seat, toAct }: api.Position): boolean {
  return seat !== undefined && toAct.includes(seat) && !seats[seat]?.substitute;
}

function ending({ ranks, reason }: api.Outcome, names: readonly string[]): JSX.Element {
  const winners = names.filter((_, seat) => ranks[seat] === 1);
  return (
    <>
      <Names names={winners} /> {winners.length > 1 ? "share the win" : "wins"}. <Ruled text={reason} />
    </>
  );
}

/** Shows in the tab whether it is one's turn. */
function useTitle(title: string, isMine: boolean): void {
  useEffect(() => {
    document.title = title;
    document.querySelector<HTMLLinkElement>("#icon")!.href = isMine ? turn : quiet;
  }, [title, isMine]);
  // Whatever is shown next, nobody's turn it is there until it says so.
  useEffect(
    () => () => {
      document.title = "Skerry";
      document.querySelector<HTMLLinkElement>("#icon")!.href = quiet;
    },
    [],
  );
}
