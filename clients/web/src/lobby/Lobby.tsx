import { type api, SkerryError } from "skerry-client";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useRead } from "../again.js";
import { Answering } from "../Answering.js";
import { forget, keptSessions, retire } from "../keep.js";
import { Mark } from "../marks.js";
import { stay } from "../router.js";
import { client } from "../server.js";
import { open } from "../table/follow.js";
import { Title } from "../Title.js";
import { nameOf } from "../words.js";
import { Emblem } from "./Emblem.js";
import { NewTable } from "./NewTable.js";

/** How many tables of others a list shows. */
const SHOWN = 12;

/** The first screen: make a table, go on with what was begun, join or watch what others play. */
export function Lobby(): JSX.Element {
  const games = useRead((signal) => client.games({ signal }), { isDone: () => true });
  const waiting = useSessions("lobby");
  const playing = useSessions("playing");
  const own = useOwn();
  useEffect(() => {
    document.title = "Skerry";
  }, []);
  const ours = new Set(own.map(({ session }) => session.name));
  const others = (sessions: readonly api.Session[]): Listed[] =>
    sessions.filter(({ name }) => !ours.has(name)).slice(0, SHOWN).map((session) => ({ session, note: noteOf(session) }));
  const shown = playing.filter(({ spectating }) => spectating === "SPECTATING_ANYONE");
  return (
    <main class="lobby">
      <Title text="Four island board games" />
      <p class="lead">Play right now, with friends or against bots. No account, nothing to install.</p>
      <Answering />
      {games && <NewTable games={games} />}
      {games && (
        <div class="columns">
          <Tables title="Your games" listed={own} games={games} verb="Continue" />
          <Tables title="Open tables" listed={others(waiting.filter(hasRoom))} games={games} verb="Join" empty="No open tables right now." />
          <Tables title="Games in progress" listed={others(shown)} games={games} verb="Watch" />
        </div>
      )}
    </main>
  );
}

/** Whether there is a seat for anybody: others are kept for those who play once more, or reserved for bots. */
function hasRoom({ seats }: api.Session): boolean {
  return seats.some(({ occupant, reservedFor }) => occupant === "OCCUPANT_OPEN" && !reservedFor);
}

/** A table in a list. */
interface Listed {
  session: api.Session;
  /** What is to be known of it beside who sits there. */
  note: string;
  /** Whether it is this browser's turn. */
  isMine?: boolean;
  /** Whether there is nothing to do there any more. It is told once. */
  isOver?: boolean;
}

/** What whoever thinks of sitting down is told. */
function noteOf({ joinCodeRequired, state }: api.Session): string {
  return joinCodeRequired && state === "SESSION_STATE_LOBBY" ? "needs a code" : "";
}

interface TablesProps {
  title: string;
  listed: readonly Listed[];
  games: readonly api.Game[];
  verb: string;
  empty?: string;
}

function Tables({ title, listed, games, verb, empty }: TablesProps): JSX.Element | null {
  if (!listed.length && !empty) return null;
  return (
    <section class="panel">
      <h2>{title}</h2>
      {listed.length ? null : <p class="soft">{empty}</p>}
      <ul class="tables">
        {listed.map(({ session, note, isMine, isOver }) => {
          const label = games.find(({ id }) => id === session.game)?.title ?? session.game;
          return (
            <li key={session.name}>
              <Emblem game={session.game} />
              <div>
                <strong>{label}</strong>
                {note && <span class={isMine ? "small turn" : "small soft"}> {note}</span>}
                <Sitting seats={session.seats} />
              </div>
              {!isOver && (
                <a class="button" href={`/${session.name}`} onClick={stay} aria-label={`${verb}: ${label}`}>
                  {verb}
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Sitting({ seats }: { seats: readonly api.Seat[] }): JSX.Element {
  return (
    <span class="sitting small">
      {seats.map((seat) => (
        <span key={seat.seat} class={seat.occupant === "OCCUPANT_OPEN" ? "soft" : ""}>
          <Mark seat={seat.seat} />
          <bdi class="name">{seat.occupant === "OCCUPANT_OPEN" ? "open" : nameOf(seat)}</bdi>
        </span>
      ))}
    </span>
  );
}

/** Returns public sessions in a state. */
function useSessions(state: "lobby" | "playing"): readonly api.Session[] {
  const found = useRead(async (signal) => {
    const sessions: api.Session[] = [];
    for await (const session of client.sessions({ state, signal })) {
      sessions.push(session);
      if (sessions.length >= 2 * SHOWN) break;
    }
    return sessions;
  });
  return found ?? [];
}

/** Returns the sessions that this browser has begun and that are not over. Those that are gone are forgotten. */
function useOwn(): readonly Listed[] {
  const over = useRef<readonly Listed[]>([]);
  const found = useRead(
    async (signal) => {
      const read = await Promise.all(keptSessions().map((one) => readOwn(one.session, signal)));
      const own = read.filter((one) => one !== undefined);
      over.current = [...over.current, ...own.filter(({ isOver }) => isOver)];
      return [...own.filter(({ isOver }) => !isOver), ...over.current];
    },
    { pauseMs: 15_000 },
  );
  return found ?? [];
}

async function readOwn(name: string, signal: AbortSignal): Promise<Listed | undefined> {
  try {
    const { session, position, seat } = await (await open(name, signal)).read({ signal });
    if (session.state === "SESSION_STATE_LOBBY") return { session, note: "waiting for players" };
    if (session.state === "SESSION_STATE_PLAYING") {
      const isMine = seat !== undefined && (position?.toAct.includes(seat) ?? false);
      return { session, isMine, note: isMine ? "your turn" : "" };
    }
    if (session.state === "SESSION_STATE_CANCELLED") {
      forget(name);
      return { session, note: "cancelled", isOver: true };
    }
    retire(name);
    return undefined;
  } catch (error) {
    // Whatever else is refused now, a limit say, the token in this browser is the only way back to the seat.
    if (!(error instanceof SkerryError && error.is("SESSION_NOT_FOUND"))) return undefined;
  }
  forget(name);
  return undefined;
}
