import type { api, Seat, Table } from "skerry-client";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { forgetSeat, giveSeat, seatTokenOf, storeSession, storedSession } from "../storage.js";
import { LevelSelect, defaultLevel, levelName } from "../LevelSelect.js";
import { SeatMark } from "../seatMarks.js";
import { NotifySwitch } from "../NotifySwitch.js";
import { ScreenTitle } from "../ScreenTitle.js";
import { isSeat } from "../session/followed.js";
import { hostOf } from "../session/tableActions.js";
import { useAttempt } from "../useAttempt.js";
import { seatName, PlayerNames } from "../text.js";
import { CancelGame, OpenSeatButton } from "./PlayerControls.js";
import { InviteLink, JoinForm } from "./JoinForm.js";
import { EmoteBubble, EmoteMenu } from "./EmoteMenu.js";
import { useEmotes } from "./useEmotes.js";
import { ConfirmButton } from "./ConfirmButton.js";
import { rich, t } from "../texts/texts.js";
import { Refusal } from "../Refusal.js";

interface WaitingRoomProps {
  session: api.Session;
  game: api.Game;
  handle: Seat | Table | undefined;
  entries: readonly api.Entry[];
  /** Whether the host has removed this browser's player. */
  isRemoved: boolean;
  onSeat: (token: string | undefined) => void;
}

/** The table before the game: seats, the link to share, and the start. */
export function WaitingRoom({ session, game, handle, entries, isRemoved, onSeat }: WaitingRoomProps): JSX.Element {
  const mine = storedSession(session.name);
  const seatToken = seatTokenOf(session.name);
  const open = session.seats.filter((seat) => seat.occupant === "OCCUPANT_OPEN" && !seat.reservedFor).length;
  const awaited = session.seats.flatMap((seat) => {
    if (seat.occupant === "OCCUPANT_KEPT") return seatName(seat);
    return seat.occupant === "OCCUPANT_OPEN" && seat.reservedFor ? botOf(seat.reservedFor) : [];
  });
  useEffect(() => {
    document.title = `${game.title} – Skerry`;
  }, [game.title]);
  return (
    <main class="room">
      <ScreenTitle text={game.title} />
      <p class="lead" role="status">
        {seatToken && t("room-seated")} <Waiting open={open} awaited={awaited} /> {seatToken && t("room-starts")}
      </p>
      {isRemoved && !seatToken && <p class="refusal">{t("seat-lost")}</p>}
      <div class="columns">
        <section class="panel">
          <h2>{t("room-seats")}</h2>
          <SeatList {...{ session, handle, entries, onSeat }} hostToken={mine?.hostToken} />
          {isSeat(handle) && <EmoteMenu seat={handle} isInPlay={false} />}
          {!seatToken && open > 0 && <JoinForm session={session} onSeat={onSeat} />}
        </section>
        <section class="panel">
          <h2>{t("room-invite")}</h2>
          <InviteLink session={session} code={mine?.joinCode} />
          {seatToken && <NotifySwitch />}
          {mine?.hostToken && open + awaited.length > 0 && <StartNow session={session} levels={game.levels} hostToken={mine.hostToken} />}
          {mine?.hostToken && <CancelControls session={session} hostToken={mine.hostToken} />}
        </section>
      </div>
    </main>
  );
}

/** How many seats are open, and which players have not arrived yet. */
function Waiting({ open, awaited }: { open: number; awaited: readonly string[] }): JSX.Element {
  return (
    <>
      {(open > 0 || !awaited.length) && t("room-open", { count: open })} {awaited.length > 0 && rich("room-waiting", { names: <PlayerNames names={awaited} /> })}
    </>
  );
}

interface SeatListProps extends Pick<WaitingRoomProps, "session" | "handle" | "entries" | "onSeat"> {
  hostToken: string | undefined;
}

function SeatList({ session, handle, entries, hostToken, onSeat }: SeatListProps): JSX.Element {
  const { refused, attempt } = useAttempt();
  const own = isSeat(handle) ? handle.number : undefined;
  const said = useEmotes(entries, own);
  const leaveSeat = async (): Promise<void> => {
    if (!isSeat(handle)) return;
    const before = storedSession(session.name);
    forgetSeat(session.name, handle.token);
    try {
      await handle.leave();
      onSeat(undefined);
    } catch (error) {
      if (before?.seatToken === handle.token) storeSession(before);
      else giveSeat(session.name, handle.token);
      throw error;
    }
  };
  const host = hostOf(session, hostToken);
  return (
    <>
      <ul class="seats">
        {session.seats.map((seat) => {
          const isAwaited = seat.occupant === "OCCUPANT_KEPT";
          const isPlayer = seat.occupant === "OCCUPANT_PLAYER" || isAwaited;
          return (
            <li key={seat.seat}>
              <SeatMark seat={seat.seat} />
              <SeatOccupant seat={seat} />
              <EmoteBubble text={said.get(seat.seat)} />
              {seat.seat === own && <span class="soft">{t("players-you")}</span>}
              {seat.seat === own && <ConfirmButton text={t("room-leave")} sure={t("room-leave-sure")} onConfirm={() => attempt(leaveSeat)} />}
              {isPlayer && seat.seat !== own && hostToken && (
                <RemoveButton name={seatName(seat)} isAwaited={isAwaited} onConfirm={() => attempt(async () => (await host()).remove(seat.seat))} />
              )}
            </li>
          );
        })}
      </ul>
      <Refusal text={refused} />
    </>
  );
}

/** The host's button that removes a player, or opens the seat of one who is awaited. */
function RemoveButton({ name, isAwaited, onConfirm }: { name: string; isAwaited: boolean; onConfirm: () => void }): JSX.Element {
  if (isAwaited) return <OpenSeatButton {...{ name, onConfirm }} />;
  const spoken = [t("room-remove-of", { name }), t("room-remove-of-sure", { name })] as const;
  return <ConfirmButton text={t("room-remove")} sure={t("room-remove-sure")} {...{ spoken, onConfirm }} />;
}

/** Returns the bot's name from its handle, which is `name~suffix`. */
function botOf(handle: string): string {
  return handle.replace(/~.*/, "");
}

function SeatOccupant({ seat }: { seat: api.Seat }): JSX.Element {
  if (seat.occupant === "OCCUPANT_OPEN") {
    const bot = seat.reservedFor && botOf(seat.reservedFor);
    return <span class="soft">{bot ? t("room-reserved", { bot }) : t("room-open-seat")}</span>;
  }
  return (
    <>
      <bdi class="name">{seatName(seat)}</bdi>
      {seat.level && <span class="soft small">{t("room-bot", { level: levelName(seat.level) })}</span>}
      {seat.occupant === "OCCUPANT_KEPT" && <span class="soft small">{t("room-absent")}</span>}
    </>
  );
}

function CancelControls({ session, hostToken }: { session: api.Session; hostToken: string }): JSX.Element {
  const { refused, attempt } = useAttempt();
  const host = hostOf(session, hostToken);
  return (
    <>
      <CancelGame onConfirm={() => attempt(async () => (await host()).cancel())} />
      <Refusal text={refused} />
    </>
  );
}

function StartNow({ session, levels, hostToken }: { session: api.Session; levels: readonly string[]; hostToken: string }): JSX.Element {
  const { refused, attempt } = useAttempt();
  const [level, setLevel] = useState(defaultLevel(levels));
  const host = hostOf(session, hostToken);
  const start = (options: { fillWithBots: boolean; level?: string }): void => attempt(async () => (await host()).start(options));
  return (
    <>
      <h3>{t("room-start")}</h3>
      <div class="row">
        <LevelSelect label={t("new-strength")} levels={levels} level={level} onChange={setLevel} />
        <button class="button" onClick={() => start({ fillWithBots: true, level })}>
          {t("room-fill")}
        </button>
        <button class="button" onClick={() => start({ fillWithBots: false })}>
          {t("room-fewer")}
        </button>
      </div>
      <Refusal text={refused} />
    </>
  );
}
