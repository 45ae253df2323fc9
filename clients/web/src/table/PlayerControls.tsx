import { type api, type Seat, SkerryError, type Table } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Countdown } from "../Countdown.js";
import { storedSession } from "../storage.js";
import { Refusal } from "../Refusal.js";
import { type AttemptState, useAttempt } from "../useAttempt.js";
import { seatName } from "../text.js";
import { isSeat } from "../session/followed.js";
import { hostOf } from "../session/tableActions.js";
import { hasOneBank } from "../session/turns.js";
import { JoinForm } from "./JoinForm.js";
import { ConfirmButton } from "./ConfirmButton.js";
import { spokenTime } from "../time.js";
import { rich, t } from "../texts/texts.js";

interface PlayerControlsProps {
  session: api.Session;
  handle: Seat | Table | undefined;
}

interface SeatNoticesProps extends PlayerControlsProps {
  /** Whether the host has opened this browser's seat to others. */
  isRemoved: boolean;
  onSeat: (token: string | undefined) => void;
}

/** What keeps the viewer from playing, with the way back: a lost seat, a substitute, or an open seat to take. */
export function SeatNotices({ session, handle, isRemoved, onSeat }: SeatNoticesProps): JSX.Element | null {
  const { refused, attempt } = useAttempt();
  if (session.outcome) return null;
  const seat = isSeat(handle) ? handle : undefined;
  const substitute = seat && session.seats[seat.number]?.substitute;
  const isOpen = session.seats.some((one) => one.substitute?.open);
  return (
    <>
      {isRemoved && !seat && <p class="refusal">{t("seat-lost")}</p>}
      {!seat && isOpen && <JoinForm session={session} onSeat={onSeat} />}
      {seat && substitute && <SubstituteNotice {...{ session, seat, substitute, attempt }} />}
      <Refusal text={refused} />
    </>
  );
}

/** What a player can do about the game: leave, resign and remind. For the host: open seats and cancel. */
export function PlayerControls({ session, handle }: PlayerControlsProps): JSX.Element {
  const { refused, attempt } = useAttempt();
  const { hostToken } = storedSession(session.name) ?? {};
  const seat = isSeat(handle) ? handle : undefined;
  const isPlaying = seat && session.seats[seat.number]?.occupant === "OCCUPANT_PLAYER";
  return (
    <>
      {isPlaying && <RemindControls session={session} seat={seat} attempt={attempt} />}
      {isPlaying && <LeaveControls session={session} seat={seat} attempt={attempt} />}
      {hostToken && <HostControls {...{ session, handle, hostToken, attempt }} />}
      <Refusal text={refused} />
    </>
  );
}

type Attempt = AttemptState["attempt"];

interface SubstituteNoticeProps {
  session: api.Session;
  seat: Seat;
  substitute: api.Substitute;
  attempt: Attempt;
}

/** Shows that a bot plays the seat of this player, with a button that takes the seat back if that is possible. */
function SubstituteNotice({ session, seat, substitute, attempt }: SubstituteNoticeProps): JSX.Element {
  const { cause } = substitute;
  if (cause === "SUBSTITUTE_CAUSE_RESIGNED") return <p class="soft">{t("seat-resigned")}</p>;
  if (cause === "SUBSTITUTE_CAUSE_OUT_OF_TIME" && hasOneBank(session.clock)) {
    return <p class="soft">{t("seat-time-up")}</p>;
  }
  return (
    <p class="row back">
      {t("seat-substitute", { cause })}
      <button class="button now" onClick={() => attempt(() => seat.returnToSeat())}>
        {t("seat-take-back")}
      </button>
    </p>
  );
}

/** Lets a waiting player remind the players whose turn it is. */
function RemindControls({ session, seat, attempt }: { session: api.Session; seat: Seat; attempt: Attempt }): JSX.Element | null {
  const awaited = session.seats.filter((other) => canBeReminded(other, seat));
  if (!awaited.length) return null;
  return (
    <details class="going">
      <summary>{t("remind-title")}</summary>
      <p class="row">
        {awaited.map((one) => (
          <button key={one.seat} class="button aside-button" onClick={() => attempt(() => seat.nudge(one.seat))}>
            {rich("remind", { name: <bdi class="name">{seatName(one)}</bdi> })}
          </button>
        ))}
        {t("remind-note")}
      </p>
    </details>
  );
}

function LeaveControls({ session, seat, attempt }: { session: api.Session; seat: Seat; attempt: Attempt }): JSX.Element {
  const others = session.seats.filter(({ occupant }) => occupant === "OCCUPANT_PLAYER").length - 1;
  const ends = session.abandonment.onResignation === "TIMEOUT_ACTION_END" || session.seats.length === 2;
  return (
    <details class="going">
      <summary>{t("leave-title")}</summary>
      <p class="row">
        <ConfirmButton text={t("leave")} sure={t("leave-sure")} onConfirm={() => attempt(() => seat.leave())} />
        {others ? t("leave-note") : t("leave-alone")}
      </p>
      <p class="row">
        <ConfirmButton text={t("resign")} sure={t("resign-sure")} onConfirm={() => attempt(() => seat.resign())} />
        {ends ? t("resign-ends") : t("resign-note")}
      </p>
    </details>
  );
}

interface HostControlsProps extends PlayerControlsProps {
  hostToken: string;
  attempt: Attempt;
}

/** The host's controls during a game: open abandoned and lost seats, and cancel a game that has no players left. */
function HostControls({ session, handle, hostToken, attempt }: HostControlsProps): JSX.Element {
  const host = hostOf(session, hostToken);
  const left = session.seats.filter(isOpenable);
  const isDeserted = session.seats.every(({ occupant }) => occupant === "OCCUPANT_BOT");
  return (
    <>
      {left.map((one) => (
        <p key={one.seat} class="row">
          <OpenSeatButton name={seatName(one)} onConfirm={() => attempt(async () => (await host()).openSeat(one.seat))} />
          <span class="soft small">
            {rich("open-seat-note", { name: <bdi class="name">{seatName(one)}</bdi> })}
          </span>
        </p>
      ))}
      <LostSeats {...{ session, handle, attempt }} onOpen={async (seat) => (await host()).openSeat(seat)} />
      {isDeserted && <CancelGame onConfirm={() => attempt(async () => (await host()).cancel())} />}
    </>
  );
}

interface LostSeatsProps extends PlayerControlsProps {
  attempt: Attempt;
  onOpen: (seat: number) => Promise<unknown>;
}

/** Lets the host open the seats of players who do not respond. Says how long such a player still has, if the server refuses it. */
function LostSeats({ session, handle, attempt, onOpen }: LostSeatsProps): JSX.Element | null {
  const [kept, setKept] = useState<{ seat: number; until: number }>();
  const awaited = session.seats.filter((one) => canBeLost(one, session, handle));
  if (!awaited.length) return null;
  const open = async (seat: number): Promise<void> => {
    setKept(undefined);
    try {
      await onOpen(seat);
    } catch (error) {
      if (!(error instanceof SkerryError && error.is("SEAT_TAKEN") && error.retryAfterMs)) throw error;
      setKept({ seat, until: Date.now() + error.retryAfterMs });
    }
  };
  const time = spokenTime(session.abandonment.openAfterMs);
  return (
    <details class="going">
      <summary>{t("open-seat-title")}</summary>
      {awaited.map((one) => {
        const { seat } = one;
        const name = <bdi class="name">{seatName(one)}</bdi>;
        return (
          <p key={seat} class="row">
            <OpenSeatButton name={seatName(one)} onConfirm={() => attempt(() => open(seat))} />
            <span class="soft small">{rich("open-seat-after", { name, time })}</span>
            {kept?.seat === seat && <span role="alert">{rich("open-seat-wait", { name, time: <Countdown until={kept.until} /> })}</span>}
          </p>
        );
      })}
    </details>
  );
}

/** Whether a seat belongs to another player who has to respond, and whose seat the host can open if that does not happen. */
function canBeLost({ seat, occupant }: api.Seat, { abandonment, clock }: api.Session, handle: LostSeatsProps["handle"]): boolean {
  if (occupant !== "OCCUPANT_PLAYER" || !abandonment.openAfterMs || (isSeat(handle) && handle.number === seat)) return false;
  return clock ? clock.onExpiry === "TIMEOUT_ACTION_MOVE" : !!handle?.lastPosition?.toAct.includes(seat);
}

/** Whether a seat belongs to another player whose turn it is. */
function canBeReminded({ seat, occupant }: api.Seat, own: Seat): boolean {
  return occupant === "OCCUPANT_PLAYER" && seat !== own.number && !!own.lastPosition?.toAct.includes(seat);
}

/** Whether a seat is abandoned, and the host can open it to others. */
function isOpenable({ substitute }: api.Seat): boolean {
  return substitute !== undefined && !substitute.open && substitute.cause !== "SUBSTITUTE_CAUSE_RESIGNED";
}

/** The host's button that opens a player's seat to others. */
export function OpenSeatButton({ name, onConfirm }: { name: string; onConfirm: () => void }): JSX.Element {
  const spoken = [t("open-seat-of", { name }), t("open-seat-of-sure", { name })] as const;
  return <ConfirmButton text={t("open-seat")} sure={t("open-seat-sure")} {...{ spoken, onConfirm }} />;
}

/** The host's button that cancels the session. */
export function CancelGame({ onConfirm }: { onConfirm: () => void }): JSX.Element {
  return (
    <p class="row">
      <ConfirmButton text={t("cancel")} sure={t("cancel-sure")} onConfirm={onConfirm} />
      <span class="soft small">{t("cancel-note")}</span>
    </p>
  );
}
