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
import { rich, t } from "../texts/texts.js";

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
  useTitle(isMine ? t("your-turn-title", { title: assets.game.title }) : `${assets.game.title} – Skerry`, isMine);
  return (
    <div class={isMine ? "heading mine" : "heading"}>
      <ScreenTitle text={assets.game.title} />
      <p role="status">{status}</p>
      {isDelayed(session, position) && <p class="soft small">{describeDelay(session.delay)}</p>}
      {isMine && readClocks && position.seat !== undefined && <Clock seat={position.seat}  read={readClocks} />}
    </div>
  );
}

/** Returns the sentence about the current turn or the outcome. */
function describeStatus({ session, position, isPast }: Pick<TableHeaderProps, "session" | "position" | "isPast">): ComponentChildren {
  const names = seatNames(session);
  if (position.outcome) return describeOutcome(position.outcome, names);
  if (!position.toAct.length) return isPast ? t("status-chance-next") : t("status-moment");
  if (!isPast && isPaused(session)) return t("status-paused");
  const task = position.scene?.task || t("status-move");
  if (!isPast && isTurnOf(session, position)) return t("status-your-turn", { task });
  return rich("status-turn", { names: <PlayerNames names={position.toAct.map((seat) => names[seat] ?? "")} />, task });
}

/** Returns the sentence about a move that is being shown. */
function describeStep({ seat }: Step, session: api.Session, { seat: own }: api.Position): ComponentChildren {
  if (seat === undefined) return t("status-chance");
  if (seat === own) return t("status-own-move");
  return rich("status-plays", { names: <PlayerNames names={[seatNames(session)[seat] ?? ""]} /> });
}

/** Whether this viewer sees the delayed view. Seats and the host see the game without delay. */
function isDelayed({ name, delay }: api.Session, { seat, outcome }: api.Position): boolean {
  return delay !== undefined && seat === undefined && !outcome && !storedSession(name)?.hostToken;
}

/** Returns the sentence about the delay, without its length for a kind of delay that a newer server added. */
function describeDelay(delay: api.SpectatorDelay | undefined): string {
  if (delay && "entries" in delay) return t("delay-entries", { count: delay.entries });
  return delay && "seconds" in delay ? t("delay-seconds", { count: delay.seconds }) : t("delay");
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

function describeOutcome({ ranks, reason }: api.Outcome, names: readonly string[]): ComponentChildren {
  const winners = names.filter((_, seat) => ranks[seat] === 1);
  return rich("status-won", { names: <PlayerNames names={winners} />, count: winners.length, reason: <TextWithRules text={reason} /> });
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
