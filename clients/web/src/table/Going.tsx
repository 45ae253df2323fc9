import type { api, Seat, Table } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { kept } from "../keep.js";
import { client, sentence } from "../server.js";
import { nameOf } from "../words.js";
import { isSeat } from "./follow.js";
import { SitDown } from "./SitDown.js";
import { Twice } from "./Twice.js";

interface GoingProps {
  session: api.Session;
  handle: Seat | Table | undefined;
  /** Whether the host has given the seat of this browser to others. */
  isRemoved: boolean;
  onSeat: (token: string | undefined) => void;
}

/** What can be done in play about players who go: to leave, come back, resign; for the host, to let others in. */
export function Going({ session, handle, isRemoved, onSeat }: GoingProps): JSX.Element {
  const [refused, setRefused] = useState("");
  const { hostToken } = kept(session.name) ?? {};
  const seat = isSeat(handle) ? handle : undefined;
  const mine = seat && session.seats[seat.number];
  const attempt = (call: Promise<unknown>): void => {
    setRefused("");
    call.catch((error: unknown) => setRefused(sentence(error)));
  };
  const isOpen = session.seats.some(({ substitute }) => substitute?.open);
  return (
    <>
      {isRemoved && !seat && <p class="refusal">You no longer have a seat here. The host has opened it to others.</p>}
      {!seat && isOpen && <SitDown session={session} onSeat={onSeat} />}
      {seat && mine?.substitute && <Substituted session={session} seat={seat} substitute={mine.substitute} attempt={attempt} />}
      {seat && mine?.occupant === "OCCUPANT_PLAYER" && <Nudging session={session} seat={seat} attempt={attempt} />}
      {seat && mine?.occupant === "OCCUPANT_PLAYER" && <Leaving session={session} seat={seat} attempt={attempt} />}
      {hostToken && <Hosting session={session} hostToken={hostToken} attempt={attempt} />}
      {refused && (
        <p class="refusal" role="alert">
          {refused}
        </p>
      )}
    </>
  );
}

type Attempt = (call: Promise<unknown>) => void;

interface SubstitutedProps {
  session: api.Session;
  seat: Seat;
  substitute: api.Substitute;
  attempt: Attempt;
}

/** Tells whose seat a bot plays so, and lets them have it back. */
function Substituted({ session, seat, substitute, attempt }: SubstitutedProps): JSX.Element {
  const { cause } = substitute;
  if (cause === "SUBSTITUTE_CAUSE_RESIGNED") return <p class="soft">You resigned. A bot plays for you.</p>;
  if (cause === "SUBSTITUTE_CAUSE_OUT_OF_TIME" && hasOneBank(session.clock)) {
    return <p class="soft">Your time is used up. A bot plays for you.</p>;
  }
  return (
    <p class="row back">
      {CAUSES[cause] ?? "A bot plays for you."}
      <button class="button now" onClick={() => attempt(seat.comeBack())}>
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

/** Whether what is used up of the time never comes back. */
export function hasOneBank(clock: api.Clock | undefined): boolean {
  return clock !== undefined && "bank" in clock && clock.bank.incrementMs === 0;
}

/** Lets who waits remind the others whose turn it is. */
function Nudging({ session, seat, attempt }: { session: api.Session; seat: Seat; attempt: Attempt }): JSX.Element | null {
  const awaited = session.seats.filter((one) => isAwaited(one, seat));
  if (!awaited.length) return null;
  return (
    <details class="going">
      <summary>Remind a player</summary>
      <p class="row">
        {awaited.map((one) => (
          <button key={one.seat} class="button aside-button" onClick={() => attempt(seat.nudge(one.seat))}>
            Remind <bdi class="name">{nameOf(one)}</bdi>
          </button>
        ))}
        Everyone at the table sees the reminder.
      </p>
    </details>
  );
}

function Leaving({ session, seat, attempt }: { session: api.Session; seat: Seat; attempt: Attempt }): JSX.Element {
  const others = session.seats.filter(({ occupant }) => occupant === "OCCUPANT_PLAYER").length - 1;
  const ends = session.abandonment.onResignation === "TIMEOUT_ACTION_END" || session.seats.length === 2;
  return (
    <details class="going">
      <summary>Leave or resign</summary>
      <p class="row">
        <Twice verb="Leave" onDo={() => attempt(seat.leave())} />
        {others ? "A bot plays for you until you return." : "You are the only player. Bots will finish the game."}
      </p>
      <p class="row">
        <Twice verb="Resign" onDo={() => attempt(seat.resign())} />
        {ends ? "You lose, and the game ends." : "You lose, and a bot plays your seat to the end."}
      </p>
    </details>
  );
}

/** What the host can do in play: open the seats of abandonment, and call off what nobody plays any more. */
function Hosting({ session, hostToken, attempt }: { session: api.Session; hostToken: string; attempt: Attempt }): JSX.Element {
  const table = (): Promise<Table> => client.table(session.name, { hostToken });
  const left = session.seats.filter(isOpenable);
  const isDeserted = session.seats.every(({ occupant }) => occupant === "OCCUPANT_BOT");
  return (
    <>
      {left.map((one) => (
        <p key={one.seat} class="row">
          <Twice
            verb="Open the seat"
            whom={`of ${nameOf(one)}`}
            onDo={() => attempt(table().then((host) => host.openSeat(one.seat)))}
          />
          <span class="soft small">
            Someone else can then take over, and <bdi class="name">{nameOf(one)}</bdi> can no longer return.
          </span>
        </p>
      ))}
      {isDeserted && <CallOff onDo={() => attempt(table().then((host) => host.cancel()))} />}
    </>
  );
}

/** Whether somebody else's turn it is, who can be reminded of that. */
function isAwaited({ seat, occupant }: api.Seat, own: Seat): boolean {
  return occupant === "OCCUPANT_PLAYER" && seat !== own.number && !!own.lastPosition?.toAct.includes(seat);
}

/** Whether a seat is a leaver's who could still come back. */
function isOpenable({ substitute }: api.Seat): boolean {
  return substitute !== undefined && !substitute.open && substitute.cause !== "SUBSTITUTE_CAUSE_RESIGNED";
}

/** Lets the host end a session that has no outcome. */
export function CallOff({ onDo }: { onDo: () => void }): JSX.Element {
  return (
    <p class="row">
      <Twice verb="Cancel the game" onDo={onDo} />
      <span class="soft small">This ends the game without a result.</span>
    </p>
  );
}
