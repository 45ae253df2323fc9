import { type api, SkerryError } from "skerry-client";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { forget, keptSessions } from "../keep.js";
import { Mark } from "../marks.js";
import { stay } from "../router.js";
import { client } from "../server.js";
import { nameOf } from "../words.js";
import { Emblem } from "./Emblem.js";
import { NewTable } from "./NewTable.js";

const REFRESH_MS = 5000;
const SHOWN = 12;

/** The first screen: make a table, go on with what was begun, join or watch what others play. */
export function Lobby(): JSX.Element {
  const [games, setGames] = useState<api.Game[]>();
  const open = useSessions("lobby");
  const playing = useSessions("playing");
  const own = useOwn();
  useEffect(() => {
    document.title = "Skerry";
    void client.games().then(setGames);
  }, []);
  const ours = new Set(own.map(({ name }) => name));
  const others = (sessions: readonly api.Session[]): api.Session[] => sessions.filter(({ name }) => !ours.has(name));
  return (
    <main class="lobby">
      <h1>Four islands, one table</h1>
      <p class="lead">Board games to be played at once, with friends or against bots. Nothing to install, nobody to ask.</p>
      {games && <NewTable games={games} />}
      {games && (
        <div class="columns">
          <Tables title="Go on" sessions={own} games={games} verb="Go on" />
          <Tables title="Open tables" sessions={others(open)} games={games} verb="Sit down" empty="No table waits for players." />
          <Tables title="Being played" sessions={others(playing)} games={games} verb="Watch" />
        </div>
      )}
    </main>
  );
}

interface TablesProps {
  title: string;
  sessions: readonly api.Session[];
  games: readonly api.Game[];
  verb: string;
  empty?: string;
}

function Tables({ title, sessions, games, verb, empty }: TablesProps): JSX.Element | null {
  if (!sessions.length && !empty) return null;
  return (
    <section class="panel">
      <h2>{title}</h2>
      {sessions.length ? null : <p class="soft">{empty}</p>}
      <ul class="tables">
        {sessions.slice(0, SHOWN).map((session) => {
          const label = games.find(({ id }) => id === session.game)?.title ?? session.game;
          return (
            <li key={session.name}>
              <Emblem game={session.game} />
              <div>
                <strong>{label}</strong>
                <Sitting seats={session.seats} />
              </div>
              <a class="button" href={`/${session.name}`} onClick={stay} aria-label={`${verb}: ${label}`}>
                {verb}
              </a>
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

/** Returns public sessions in a state, and reads them again now and then while the page is seen. */
function useSessions(state: "lobby" | "playing"): readonly api.Session[] {
  const [sessions, setSessions] = useState<api.Session[]>([]);
  useEffect(() => {
    const ending = new AbortController();
    const read = async (): Promise<void> => {
      if (document.visibilityState === "hidden") return;
      const found: api.Session[] = [];
      for await (const session of client.sessions({ state, signal: ending.signal })) {
        found.push(session);
        if (found.length >= 2 * SHOWN) break;
      }
      setSessions(found);
    };
    const again = (): void => void read().catch(() => undefined);
    again();
    const timer = setInterval(again, REFRESH_MS);
    return () => {
      clearInterval(timer);
      ending.abort();
    };
  }, [state]);
  return sessions;
}

/** Returns the sessions that this browser has begun and that are not over. Those that are gone are forgotten. */
function useOwn(): readonly api.Session[] {
  const [own, setOwn] = useState<api.Session[]>([]);
  useEffect(() => {
    const ending = new AbortController();
    const read = async (session: string): Promise<api.Session | undefined> => {
      try {
        const found = await (await client.table(session, { signal: ending.signal })).session({ signal: ending.signal });
        if (found.state !== "SESSION_STATE_FINISHED") return found;
      } catch (error) {
        // Whatever else is refused now, a limit say, the token in this browser is the only way back to the seat.
        if (!(error instanceof SkerryError && error.is("SESSION_NOT_FOUND"))) return undefined;
      }
      forget(session);
      return undefined;
    };
    void Promise.all(keptSessions().map(({ session }) => read(session))).then((found) => {
      if (!ending.signal.aborted) setOwn(found.filter((one) => one !== undefined));
    });
    return () => ending.abort();
  }, []);
  return own;
}
