import type { api } from "skerry-client";
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import quiet from "../icons/quiet.svg";
import turn from "../icons/turn.svg";
import { storedSession } from "../storage.js";
import { ScreenTitle } from "../ScreenTitle.js";
import { PlayerNames, seatNames, TextWithRules } from "../text.js";
import { Clock, type ReadClocks } from "./Clock.js";
import { hasOneBank, isTurnOf } from "../session/turns.js";
import type { GameAssets } from "./gameAssets.js";
import type { Step } from "./playback.js";
import type { Playback } from "./usePlayback.js";

interface TableHeaderProps {
  session: api.Session;
  position: api.Position;
  assets: GameAssets;
  /** Whether the position is an earlier one. */
  isPast: boolean;
  playback: Playback;
  /** Returns the clocks as of now. Absent if no clock is shown. */
  readClocks: ReadClocks | undefined;
}

/**
 * The title, and the sentence that says whose turn it is and what to do, as far as the events are shown. Screen readers
 * announce each change.
 */
export function TableHeader({ session, position, assets, isPast, playback, readClocks }: TableHeaderProps): JSX.Element {
  const isMine = !isPast && !playback.isRunning && isTurnOf(session, position);
  const status = playback.step ? describeStep(playback.step, session, position) : describeStatus({ session, position, isPast });
  useTitle(isMine ? `Your turn: ${assets.game.title}` : `${assets.game.title} – Skerry`, isMine);
  return (
    <div class={isMine ? "heading mine" : "heading"}>
      <ScreenTitle text={assets.game.title} />
      <p role="status">{status}</p>
      {isDelayed(session, position) && <p class="soft small">You are watching with a delay{describeDelay(session.delay)}.</p>}
      {isMine && readClocks && position.seat !== undefined && <Clock seat={position.seat} owner="You have" read={readClocks} />}
    </div>
  );
}

/** Returns the sentence about the current turn or the outcome. */
function describeStatus({ session, position, isPast }: Pick<TableHeaderProps, "session" | "position" | "isPast">): ComponentChildren {
  const names = seatNames(session);
  if (position.outcome) return describeOutcome(position.outcome, names);
  if (!position.toAct.length) return isPast ? "Chance decides what happens next." : "One moment …";
  if (!isPast && isPaused(session)) return "The game is paused until a player returns.";
  const task = position.scene?.task || "make a move";
  if (!isPast && isTurnOf(session, position)) return `Your turn: ${task}.`;
  return (
    <>
      <PlayerNames names={position.toAct.map((seat) => names[seat] ?? "")} />: {task}.
    </>
  );
}

/** Returns the sentence about a move that is being shown. */
function describeStep({ seat }: Step, session: api.Session, { seat: own }: api.Position): ComponentChildren {
  if (seat === undefined) return "Chance decides …";
  if (seat === own) return "Your move …";
  return (
    <>
      <PlayerNames names={[seatNames(session)[seat] ?? ""]} /> plays …
    </>
  );
}

/** Whether this viewer sees the delayed view. Seats and the host see the game without delay. */
function isDelayed({ name, delay }: api.Session, { seat, outcome }: api.Position): boolean {
  return delay !== undefined && seat === undefined && !outcome && !storedSession(name)?.hostToken;
}

/** Returns the length of the delay. Empty for a kind of delay that a newer server added. */
function describeDelay(delay: api.SpectatorDelay | undefined): string {
  if (delay && "entries" in delay) return ` of ${delay.entries} log entries`;
  return delay && "seconds" in delay ? ` of ${delay.seconds} seconds` : "";
}

/** Whether the game waits: no player is present, and one of them may return who did not leave on purpose. */
function isPaused({ seats, clock }: api.Session): boolean {
  const awaited = seats.some(({ substitute }) => substitute && mayReturn(substitute.cause, clock));
  return awaited && seats.every(({ occupant }) => occupant !== "OCCUPANT_PLAYER");
}

/** Whether a player with a substitute for this cause did not leave on purpose and may return. */
function mayReturn(cause: api.SubstituteCause, clock: api.Clock | undefined): boolean {
  return cause === "SUBSTITUTE_CAUSE_ABSENT" || (cause === "SUBSTITUTE_CAUSE_OUT_OF_TIME" && !hasOneBank(clock));
}

function describeOutcome({ ranks, reason }: api.Outcome, names: readonly string[]): JSX.Element {
  const winners = names.filter((_, seat) => ranks[seat] === 1);
  return (
    <>
      <PlayerNames names={winners} /> {winners.length > 1 ? "share the win" : "wins"}. <TextWithRules text={reason} />
    </>
  );
}

/** Shows in the browser tab whether it is the viewer's turn. */
function useTitle(title: string, isMine: boolean): void {
  useEffect(() => {
    document.title = title;
    document.querySelector<HTMLLinkElement>("#icon")!.href = isMine ? turn : quiet;
  }, [title, isMine]);
  // Reset the tab when this screen closes: the next screen may not set a title.
  useEffect(
    () => () => {
      document.title = "Skerry";
      document.querySelector<HTMLLinkElement>("#icon")!.href = quiet;
    },
    [],
  );
}
