import { type api, SkerryError } from "skerry-client";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { SearchPanel } from "../matching/SearchPanel.js";
import { keepFinished } from "../finishedGames.js";
import { usePolling } from "../polling.js";
import { ServerStatus } from "../ServerStatus.js";
import { forgetSession, storedSessions, forgetFinished } from "../storage.js";
import { SeatMark } from "../seatMarks.js";
import { followLink } from "../router.js";
import { client } from "../server.js";
import { openSession } from "../session/openSession.js";
import { ScreenTitle } from "../ScreenTitle.js";
import { seatName } from "../text.js";
import { Emblem } from "../Emblem.js";
import { FinishedGames } from "./FinishedGames.js";
import { NewTable } from "./NewTable.js";
import { useLanguage } from "../texts/language.js";
import { messageId, t } from "../texts/texts.js";

/** The most tables of other players that a list shows. */
const SHOWN = 12;

/** The first screen: create a table, continue a game, join or watch the games of others. */
export function Lobby(): JSX.Element {
  const games = usePolling((signal) => client.games({ signal }), { isDone: () => true, key: useLanguage() });
  const waiting = usePublicSessions("lobby");
  const playing = usePublicSessions("playing");
  const own = useOwnSessions();
  useEffect(() => {
    document.title = "Skerry";
  }, []);
  const ours = new Set(own.map(({ session }) => session.name));
  const others = (sessions: readonly api.Session[]): ListedTable[] =>
    sessions.filter(({ name }) => !ours.has(name)).slice(0, SHOWN).map((session) => ({ session, note: noteOf(session) }));
  const shown = playing.filter(({ spectating }) => spectating === "SPECTATING_ANYONE");
  return (
    <main class="lobby">
      <ScreenTitle text={t("lobby-title")} />
      <p class="lead">{t("lobby-lead")}</p>
      <ServerStatus />
      {games && <SearchPanel games={games} />}
      {games && <NewTable games={games} />}
      {games && (
        <div class="columns">
          <TableList title={t("lobby-own")} listed={own} games={games} verb={t("lobby-continue")} />
          <TableList title={t("lobby-open")} listed={others(waiting.filter(hasRoom))} games={games} verb={t("lobby-join")} empty={t("lobby-none-open")} />
          <TableList title={t("lobby-playing")} listed={others(shown)} games={games} verb={t("watch")} />
          <FinishedGames games={games} />
        </div>
      )}
    </main>
  );
}

/** Whether anyone can take a seat. Seats kept for a rematch or reserved for bots do not count. */
function hasRoom({ seats }: api.Session): boolean {
  return seats.some(({ occupant, reservedFor }) => occupant === "OCCUPANT_OPEN" && !reservedFor);
}

/** A table in a list. */
interface ListedTable {
  session: api.Session;
  /** The id of a short remark beside the title. */
  note?: string | undefined;
  /** Whether it is the turn of this browser's seat. */
  isMine?: boolean;
  /** Whether the game has ended. It stays listed until the page is left. */
  isOver?: boolean;
}

/** Returns the id of the remark about a table that the player can join. */
function noteOf({ joinCodeRequired, state }: api.Session): string | undefined {
  return joinCodeRequired && state === "SESSION_STATE_LOBBY" ? messageId("lobby-needs-code") : undefined;
}

interface TableListProps {
  title: string;
  listed: readonly ListedTable[];
  games: readonly api.Game[];
  verb: string;
  empty?: string;
}

function TableList({ title, listed, games, verb, empty }: TableListProps): JSX.Element | null {
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
                {note !== undefined && <span class={isMine ? "small turn" : "small soft"}> {t(note)}</span>}
                <SeatedPlayers seats={session.seats} />
              </div>
              {!isOver && (
                <a class="button" href={`/${session.name}`} onClick={followLink} aria-label={t("lobby-action", { verb, title: label })}>
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

function SeatedPlayers({ seats }: { seats: readonly api.Seat[] }): JSX.Element {
  return (
    <span class="sitting small">
      {seats.map((seat) => (
        <span key={seat.seat} class={seat.occupant === "OCCUPANT_OPEN" ? "soft" : ""}>
          <SeatMark seat={seat.seat} />
          <bdi class="name">{seat.occupant === "OCCUPANT_OPEN" ? t("lobby-open-seat") : seatName(seat)}</bdi>
        </span>
      ))}
    </span>
  );
}

/** Polls the public sessions in a state. */
function usePublicSessions(state: "lobby" | "playing"): readonly api.Session[] {
  const found = usePolling(async (signal) => {
    const sessions: api.Session[] = [];
    for await (const session of client.sessions({ state, signal })) {
      sessions.push(session);
      if (sessions.length >= 2 * SHOWN) break;
    }
    return sessions;
  });
  return found ?? [];
}

/** Polls the stored sessions that are not over. Removes sessions that no longer exist from the storage. */
function useOwnSessions(): readonly ListedTable[] {
  const over = useRef<readonly ListedTable[]>([]);
  const found = usePolling(
    async (signal) => {
      const read = await Promise.all(storedSessions().map((one) => readOwn(one.session, signal)));
      const own = read.filter((one) => one !== undefined);
      over.current = [...over.current, ...own.filter(({ isOver }) => isOver)];
      return [...own.filter(({ isOver }) => !isOver), ...over.current];
    },
    { pauseMs: 15_000 },
  );
  return found ?? [];
}

async function readOwn(name: string, signal: AbortSignal): Promise<ListedTable | undefined> {
  try {
    const { session, position, seat } = await (await openSession(name, signal)).read({ signal });
    if (session.state === "SESSION_STATE_LOBBY") return { session, note: messageId("lobby-waiting") };
    if (session.state === "SESSION_STATE_PLAYING") {
      const isMine = seat !== undefined && (position?.toAct.includes(seat) ?? false);
      return { session, isMine, note: isMine ? messageId("lobby-your-turn") : undefined };
    }
    if (session.state === "SESSION_STATE_CANCELLED") {
      forgetSession(name);
      return { session, note: messageId("lobby-cancelled"), isOver: true };
    }
    if (seat !== undefined) keepFinished(session, seat);
    forgetFinished(name);
    return undefined;
  } catch (error) {
    // Keep the token after any other error, such as a rate limit: it is the only way back to the seat.
    if (!(error instanceof SkerryError && error.is("SESSION_NOT_FOUND"))) return undefined;
  }
  forgetSession(name);
  return undefined;
}
