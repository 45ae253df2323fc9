import type { api, Seat, Table } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { keep, kept, lastName, rememberName } from "../keep.js";
import { Mark, MARKS } from "../marks.js";
import { client, sentence } from "../server.js";
import { isSeat } from "./follow.js";
import { nameOf } from "../words.js";

interface RoomProps {
  session: api.Session;
  game: api.Game;
  handle: Seat | Table | undefined;
  onSeat: (token: string) => void;
}

/** The table before the game: seats to take, the link to pass on, and the start. */
export function Room({ session, game, handle, onSeat }: RoomProps): JSX.Element {
  const mine = kept(session.name);
  const open = session.seats.filter((seat) => seat.occupant === "OCCUPANT_OPEN").length;
  const waiting = open === 1 ? "One seat is open." : `${open} seats are open.`;
  return (
    <main class="room">
      <h1>{game.title}</h1>
      <p class="lead" role="status">
        {mine?.seatToken ? `You have a seat. ${waiting} The game begins when the last one is taken.` : waiting}
      </p>
      <div class="columns">
        <section class="panel">
          <h2>Seats</h2>
          <SeatList session={session} handle={handle} />
          {!mine?.seatToken && <SitDown session={session} onSeat={onSeat} />}
        </section>
        <section class="panel">
          <h2>Bring friends</h2>
          <Share />
          {mine?.hostToken && open > 0 && <StartNow session={session} hostToken={mine.hostToken} />}
        </section>
      </div>
    </main>
  );
}

function SeatList({ session, handle }: { session: api.Session; handle: Seat | Table | undefined }): JSX.Element {
  const own = isSeat(handle) ? handle.number : undefined;
  return (
    <ul class="seats">
      {session.seats.map((seat) => (
        <li key={seat.seat}>
          <Mark seat={seat.seat} />
          {seat.occupant === "OCCUPANT_OPEN" ? (
            <span class="soft">open: the {MARKS[seat.seat]}</span>
          ) : (
            <bdi class="name">{nameOf(seat)}</bdi>
          )}
          {seat.seat === own && <span class="soft">you</span>}
        </li>
      ))}
    </ul>
  );
}

function SitDown({ session, onSeat }: { session: api.Session; onSeat: (token: string) => void }): JSX.Element {
  const [name, setName] = useState(lastName());
  const [refused, setRefused] = useState("");
  const [busy, setBusy] = useState(false);
  const sit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      const table = await client.table(session.name);
      const seat = await table.join(name.trim());
      rememberName(name.trim());
      keep({ session: session.name, game: session.game, seatToken: seat.token });
      onSeat(seat.token);
    } catch (error) {
      setRefused(sentence(error));
      setBusy(false);
    }
  };
  return (
    <form class="sit" onSubmit={sit}>
      <label>
        Your name
        <input value={name} maxLength={80} autocomplete="nickname" required onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <button class="button now" disabled={busy || !name.trim()}>
        Sit down
      </button>
      {refused && (
        <p class="refusal" role="alert">
          {refused}
        </p>
      )}
    </form>
  );
}

function Share(): JSX.Element {
  const [copied, setCopied] = useState(false);
  const link = location.origin + location.pathname;
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(link);
      setCopied(true);
    } catch {
      document.querySelector<HTMLInputElement>("#link")?.select();
    }
  };
  return (
    <p class="share">
      <label>
        Whoever opens this link can sit down
        <input id="link" readonly value={link} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button class="button" onClick={copy}>
        {copied ? "Copied" : "Copy the link"}
      </button>
    </p>
  );
}

function StartNow({ session, hostToken }: { session: api.Session; hostToken: string }): JSX.Element {
  const [refused, setRefused] = useState("");
  const start = async (fillWithBots: boolean): Promise<void> => {
    try {
      await (await client.table(session.name, { hostToken })).start({ fillWithBots });
    } catch (error) {
      setRefused(sentence(error));
    }
  };
  return (
    <>
      <h3>Begin before all have come</h3>
      <div class="row">
        <button class="button" onClick={() => start(true)}>
          Bots take the open seats
        </button>
        <button class="button" onClick={() => start(false)}>
          Play without them
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
