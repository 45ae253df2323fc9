import type { api, Seat, Table } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { storedSession } from "../storage.js";
import { client, errorMessage } from "../server.js";
import { seatName } from "../text.js";
import { isSeat } from "../session/followed.js";
import { hasOneBank } from "../session/turns.js";
import { JoinForm } from "./JoinForm.js";
import { ConfirmButton } from "./ConfirmButton.js";

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
  const [refused, attempt] = useAttempt();
  if (session.outcome) return null;
  const seat = isSeat(handle) ? handle : undefined;
  const substitute = seat && session.seats[seat.number]?.substitute;
  const isOpen = session.seats.some((one) => one.substitute?.open);
  return (
    <>
      {isRemoved && !seat && <p class="refusal">You no longer have a seat here. The host has opened it to others.</p>}
      {!seat && isOpen && <JoinForm session={session} onSeat={onSeat} />}
      {seat && substitute && <SubstituteNotice {...{ session, seat, substitute, attempt }} />}
      {refused}
    </>
  );
}

/** What a player can do about the game: leave, resign and remind. For the host: open seats and cancel. */
export function PlayerControls({ session, handle }: PlayerControlsProps): JSX.Element {
  const [refused, attempt] = useAttempt();
  const { hostToken } = storedSession(session.name) ?? {};
  const seat = isSeat(handle) ? handle : undefined;
  const isPlaying = seat && session.seats[seat.number]?.occupant === "OCCUPANT_PLAYER";
  return (
    <>
      {isPlaying && <RemindControls session={session} seat={seat} attempt={attempt} />}
      {isPlaying && <LeaveControls session={session} seat={seat} attempt={attempt} />}
      {hostToken && <HostControls session={session} hostToken={hostToken} attempt={attempt} />}
      {refused}
    </>
  );
}

/** Returns why the server refused the last call, and a function that awaits a call. */
function useAttempt(): readonly [JSX.Element | false, Attempt] {
  const [refused, setRefused] = useState("");
  const attempt: Attempt = (call) => {
    setRefused("");
    call.catch((error: unknown) => setRefused(errorMessage(error)));
  };
  const shown = refused !== "" && (
    <p class="refusal" role="alert">
      {refused}
    </p>
  );
  return [shown, attempt];
}

type Attempt = (call: Promise<unknown>) => void;

interface SubstituteNoticeProps {
  session: api.Session;
  seat: Seat;
  substitute: api.Substitute;
  attempt: Attempt;
}

/** Shows that a bot plays the seat of this player, with a button that takes the seat back if that is possible. */
function SubstituteNotice({ session, seat, substitute, attempt }: SubstituteNoticeProps): JSX.Element {
  const { cause } = substitute;
  if (cause === "SUBSTITUTE_CAUSE_RESIGNED") return <p class="soft">You resigned. A bot plays for you.</p>;
  if (cause === "SUBSTITUTE_CAUSE_OUT_OF_TIME" && hasOneBank(session.clock)) {
    return <p class="soft">Your time is used up. A bot plays for you.</p>;
  }
  return (
    <p class="row back">
      {CAUSES[cause] ?? "A bot plays for you."}
      <button class="button now" onClick={() => attempt(seat.returnToSeat())}>
        Take your seat back
      </button>
    </p>
  );
}

/** Why a bot plays for a player who can return, in words to that player. */
const CAUSES: Readonly<Partial<Record<api.SubstituteCause, string>>> = {
  SUBSTITUTE_CAUSE_LEFT: "You left and a bot plays for you.",
  SUBSTITUTE_CAUSE_ABSENT: "You were away and a bot plays for you.",
  SUBSTITUTE_CAUSE_OUT_OF_TIME: "You ran out of time and a bot plays for you.",
};

/** Lets a waiting player remind the players whose turn it is. */
function RemindControls({ session, seat, attempt }: { session: api.Session; seat: Seat; attempt: Attempt }): JSX.Element | null {
  const awaited = session.seats.filter((other) => canBeReminded(other, seat));
  if (!awaited.length) return null;
  return (
    <details class="going">
      <summary>Remind a player</summary>
      <p class="row">
        {awaited.map((one) => (
          <button key={one.seat} class="button aside-button" onClick={() => attempt(seat.nudge(one.seat))}>
            Remind <bdi class="name">{seatName(one)}</bdi>
          </button>
        ))}
        Everyone at the table sees the reminder.
      </p>
    </details>
  );
}

function LeaveControls({ session, seat, attempt }: { session: api.Session; seat: Seat; attempt: Attempt }): JSX.Element {
  const others = session.seats.filter(({ occupant }) => occupant === "OCCUPANT_PLAYER").length - 1;
  const ends = session.abandonment.onResignation === "TIMEOUT_ACTION_END" || session.seats.length === 2;
  return (
    <details class="going">
      <summary>Leave or resign</summary>
      <p class="row">
        <ConfirmButton verb="Leave" onConfirm={() => attempt(seat.leave())} />
        {others ? "A bot plays for you until you return." : "You are the only player. Bots will finish the game."}
      </p>
      <p class="row">
        <ConfirmButton verb="Resign" onConfirm={() => attempt(seat.resign())} />
        {ends ? "You lose, and the game ends." : "You lose, and a bot plays your seat to the end."}
      </p>
    </details>
  );
}

/** The host's controls during a game: open abandoned seats, and cancel a game that has no players left. */
function HostControls({ session, hostToken, attempt }: { session: api.Session; hostToken: string; attempt: Attempt }): JSX.Element {
  const table = (): Promise<Table> => client.table(session.name, { hostToken });
  const left = session.seats.filter(isOpenable);
  const isDeserted = session.seats.every(({ occupant }) => occupant === "OCCUPANT_BOT");
  return (
    <>
      {left.map((one) => (
        <p key={one.seat} class="row">
          <ConfirmButton
            verb="Open the seat"
            object={`of ${seatName(one)}`}
            onConfirm={() => attempt(table().then((host) => host.openSeat(one.seat)))}
          />
          <span class="soft small">
            Someone else can then take over, and <bdi class="name">{seatName(one)}</bdi> can no longer return.
          </span>
        </p>
      ))}
      {isDeserted && <CancelGame onConfirm={() => attempt(table().then((host) => host.cancel()))} />}
    </>
  );
}

/** Whether a seat belongs to another player whose turn it is. */
function canBeReminded({ seat, occupant }: api.Seat, own: Seat): boolean {
  return occupant === "OCCUPANT_PLAYER" && seat !== own.number && !!own.lastPosition?.toAct.includes(seat);
}

/** Whether a seat is abandoned, and the host can open it to others. */
function isOpenable({ substitute }: api.Seat): boolean {
  return substitute !== undefined && !substitute.open && substitute.cause !== "SUBSTITUTE_CAUSE_RESIGNED";
}

/** The host's button that cancels the session. */
export function CancelGame({ onConfirm }: { onConfirm: () => void }): JSX.Element {
  return (
    <p class="row">
      <ConfirmButton verb="Cancel the game" onConfirm={onConfirm} />
      <span class="soft small">This ends the game without a result.</span>
    </p>
  );
}
