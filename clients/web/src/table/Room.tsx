import type { api, Seat, Table } from "skerry-client";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { forgetSeat, keep, kept } from "../keep.js";
import { LevelChoice, manner, proposed } from "../levels.js";
import { Mark } from "../marks.js";
import { client, sentence } from "../server.js";
import { Title } from "../Title.js";
import { isSeat } from "./follow.js";
import { nameOf, Names } from "../words.js";
import { CallOff } from "./Going.js";
import { Share, SitDown } from "./SitDown.js";
import { Twice } from "./Twice.js";

interface RoomProps {
  session: api.Session;
  game: api.Game;
  handle: Seat | Table | undefined;
  /** Whether the host has removed whoever sits before this page. */
  isRemoved: boolean;
  onSeat: (token: string | undefined) => void;
}

/** The table before the game: seats to take, the link to pass on, and the start. */
export function Room({ session, game, handle, isRemoved, onSeat }: RoomProps): JSX.Element {
  const mine = kept(session.name);
  const open = session.seats.filter((seat) => seat.occupant === "OCCUPANT_OPEN" && !seat.reservedFor).length;
  const awaited = session.seats.flatMap((seat) => {
    if (seat.occupant === "OCCUPANT_KEPT") return nameOf(seat);
    return seat.occupant === "OCCUPANT_OPEN" && seat.reservedFor ? botOf(seat.reservedFor) : [];
  });
  useEffect(() => {
    document.title = `${game.title} – Skerry`;
  }, [game.title]);
  return (
    <main class="room">
      <Title text={game.title} />
      <p class="lead" role="status">
        {mine?.seatToken && "You have a seat. "}
        <Waiting open={open} awaited={awaited} />
        {mine?.seatToken && " The game starts when every seat is taken."}
      </p>
      {isRemoved && !mine?.seatToken && <p class="refusal">You no longer have a seat here. The host has opened it to others.</p>}
      <div class="columns">
        <section class="panel">
          <h2>Seats</h2>
          <SeatList session={session} handle={handle} hostToken={mine?.hostToken} onSeat={onSeat} />
          {!mine?.seatToken && open > 0 && <SitDown session={session} onSeat={onSeat} />}
        </section>
        <section class="panel">
          <h2>Invite friends</h2>
          <Share session={session} code={mine?.joinCode} />
          {mine?.hostToken && open + awaited.length > 0 && <StartNow session={session} levels={game.levels} hostToken={mine.hostToken} />}
          {mine?.hostToken && <CallingOff session={session} hostToken={mine.hostToken} />}
        </section>
      </div>
    </main>
  );
}

/** How many seats are open, and whom the table waits for. */
function Waiting({ open, awaited }: { open: number; awaited: readonly string[] }): JSX.Element {
  return (
    <>
      {openOf(open, awaited.length)}
      {awaited.length > 0 && (
        <>
          {" "}
          Waiting for <Names names={awaited} />.
        </>
      )}
    </>
  );
}

function openOf(open: number, awaited: number): string {
  if (!open && awaited) return "";
  return open === 1 ? "1 seat is open." : `${open} seats are open.`;
}

interface SeatListProps extends Pick<RoomProps, "session" | "handle" | "onSeat"> {
  hostToken: string | undefined;
}

function SeatList({ session, handle, hostToken, onSeat }: SeatListProps): JSX.Element {
  const [refused, setRefused] = useState("");
  const own = isSeat(handle) ? handle.number : undefined;
  const standUp = async (): Promise<void> => {
    if (!isSeat(handle)) return;
    const { token } = handle;
    forgetSeat(session.name, token);
    try {
      await handle.leave();
      onSeat(undefined);
    } catch (error) {
      keep({ session: session.name, game: session.game, seatToken: token });
      throw error;
    }
  };
  const remove = async (seat: number): Promise<void> => {
    await (await client.table(session.name, { hostToken })).remove(seat);
  };
  const refuse = (error: unknown): void => setRefused(sentence(error));
  return (
    <>
      <ul class="seats">
        {session.seats.map((seat) => {
          const isAwaited = seat.occupant === "OCCUPANT_KEPT";
          const isPlayer = seat.occupant === "OCCUPANT_PLAYER" || isAwaited;
          return (
            <li key={seat.seat}>
              <Mark seat={seat.seat} />
              <Sitter seat={seat} />
              {seat.seat === own && <span class="soft">you</span>}
              {seat.seat === own && <Twice verb="Leave the seat" onDo={() => void standUp().catch(refuse)} />}
              {isPlayer && seat.seat !== own && hostToken && (
                <Twice verb={isAwaited ? "Open the seat" : "Remove"} whom={isAwaited ? `of ${nameOf(seat)}` : nameOf(seat)} onDo={() => void remove(seat.seat).catch(refuse)} />
              )}
            </li>
          );
        })}
      </ul>
      {refused && (
        <p class="refusal" role="alert">
          {refused}
        </p>
      )}
    </>
  );
}

/** Returns the name in the handle of a bot. */
function botOf(handle: string): string {
  return handle.replace(/~.*/, "");
}

function Sitter({ seat }: { seat: api.Seat }): JSX.Element {
  if (seat.occupant === "OCCUPANT_OPEN") {
    const bot = seat.reservedFor && botOf(seat.reservedFor);
    return <span class="soft">{bot ? `reserved for the bot ${bot}` : "open seat"}</span>;
  }
  return (
    <>
      <bdi class="name">{nameOf(seat)}</bdi>
      {seat.level && <span class="soft small">bot: {manner(seat.level)}</span>}
      {seat.occupant === "OCCUPANT_KEPT" && <span class="soft small">not here yet</span>}
    </>
  );
}

function CallingOff({ session, hostToken }: { session: api.Session; hostToken: string }): JSX.Element {
  const [refused, setRefused] = useState("");
  const cancel = async (): Promise<void> => {
    try {
      await (await client.table(session.name, { hostToken })).cancel();
    } catch (error) {
      setRefused(sentence(error));
    }
  };
  return (
    <>
      <CallOff onDo={() => void cancel()} />
      {refused && (
        <p class="refusal" role="alert">
          {refused}
        </p>
      )}
    </>
  );
}

function StartNow({ session, levels, hostToken }: { session: api.Session; levels: readonly string[]; hostToken: string }): JSX.Element {
  const [refused, setRefused] = useState("");
  const [level, setLevel] = useState(proposed(levels));
  const start = async (options: { fillWithBots: boolean; level?: string }): Promise<void> => {
    try {
      await (await client.table(session.name, { hostToken })).start(options);
    } catch (error) {
      setRefused(sentence(error));
    }
  };
  return (
    <>
      <h3>Start without waiting</h3>
      <div class="row">
        <LevelChoice label="Bot strength" levels={levels} level={level} onChange={setLevel} />
        <button class="button" onClick={() => start({ fillWithBots: true, level })}>
          Fill open seats with bots
        </button>
        <button class="button" onClick={() => start({ fillWithBots: false })}>
          Start with fewer players
        </button>
      </div>
      {refused && (
        <p class="refusal" role="alert">
          {refused}
        </p>
      )}
    </>
  );
}
