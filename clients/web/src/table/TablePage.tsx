import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { Answering } from "../Answering.js";
import { useRead } from "../again.js";
import { type GameUi, loadUi } from "../games/ui.js";
import { kept, retire } from "../keep.js";
import { stay } from "../router.js";
import { client, sentence } from "../server.js";
import { Title } from "../Title.js";
import { Connecting } from "./Connecting.js";
import { type Followed, isSeat, useSession } from "./follow.js";
import { Play } from "./Play.js";
import { Room } from "./Room.js";

/** What is the same for every session of a game. */
export interface Printed {
  game: api.Game;
  /** Absent for a game that this page has no picture of. */
  ui: GameUi | undefined;
}

/** A session: the room before the game, the table, and what is left when it is over. */
export function TablePage({ name }: { name: string }): JSX.Element {
  const [seatToken, setSeatToken] = useState(kept(name)?.seatToken);
  // A seat that is taken in another tab is this tab's too: there is one for each browser.
  useEffect(() => {
    const changed = (): void => setSeatToken((known) => kept(name)?.seatToken ?? known);
    addEventListener("storage", changed);
    return () => removeEventListener("storage", changed);
  }, [name]);
  const followed = useSession(name, seatToken);
  const { printed, refused, isTorn } = usePrinted(followed.session?.game);
  const { session, failure } = followed;
  // Before the end is shown: whoever sees it, and goes, leaves no token of a game behind.
  useLayoutEffect(() => {
    if (session?.state === "SESSION_STATE_FINISHED" || session?.state === "SESSION_STATE_CANCELLED") {
      retire(name, isSeat(followed.handle) ? followed.handle.token : undefined);
    }
  }, [session?.state]);
  const isPrivate = session !== undefined && failure?.is("NOT_ALLOWED");
  if ((failure && !isPrivate) || refused) return <Failure text={sentence(failure ?? refused)} />;
  if (!session || !printed) return <Waiting text={session ? "Loading the game …" : "Opening the table …"} isTorn={isTorn} />;
  return (
    <>
      <Connecting connection={followed.connection} />
      <Shown {...followed} session={session} printed={printed} onSeat={setSeatToken} />
    </>
  );
}

interface ShownProps extends Followed {
  session: api.Session;
  printed: Printed;
  onSeat: (token: string | undefined) => void;
}

function Shown({ printed, onSeat, ...followed }: ShownProps): JSX.Element {
  const { session, position } = followed;
  if (session.state === "SESSION_STATE_LOBBY") {
    return <Room {...{ session, onSeat }} game={printed.game} handle={followed.handle} isRemoved={followed.isRemoved} />;
  }
  if (session.state === "SESSION_STATE_CANCELLED") return <Cancelled title={printed.game.title} entries={followed.entries} />;
  if (!position) {
    return <Failure title={printed.game.title} text="Only the players can see this game until it is over." />;
  }
  return <Play {...followed} {...{ position, printed, onSeat }} />;
}

/** Says by whom a session was called off, once its log is here. */
function whoCalledOff(entries: readonly api.Entry[]): string {
  const end = entries.find((entry) => "cancelled" in entry);
  if (!end) return "This game was cancelled.";
  return end.cancelled.byOperator ? "The server operator cancelled this game." : "The host cancelled this game.";
}

/** What is left of a session that was called off: no outcome, and nothing to go back to. */
function Cancelled({ title, entries }: { title: string; entries: readonly api.Entry[] }): JSX.Element {
  useEffect(() => {
    document.title = `${title} – Skerry`;
  }, [title]);
  return (
    <main class="wait">
      <Title text={title} />
      <p role="status">{whoCalledOff(entries)} It has no result.</p>
      <a class="button" href="/" onClick={stay}>
        All tables
      </a>
    </main>
  );
}

function Failure({ title = "Table not available", text }: { title?: string; text: string }): JSX.Element {
  return (
    <main class="wait">
      <Title text={title} />
      <p>{text}</p>
      <a class="button" href="/" onClick={stay}>
        All tables
      </a>
    </main>
  );
}

/** Stands here until there is a table to show, and says what keeps it. */
function Waiting({ text, isTorn }: { text: string; isTorn: boolean }): JSX.Element {
  return (
    <main class="wait">
      <p>{text}</p>
      <Answering />
      <div role="status">
        {isTorn && <p>Part of this page did not load. Trying again … If this does not help, reload the page.</p>}
      </div>
    </main>
  );
}

/** What is known by now of what is printed of a game. */
interface Printing {
  printed: Printed | undefined;
  /** Why it is not told. */
  refused: unknown;
  /** Whether what draws the game did not come when it was asked for. */
  isTorn: boolean;
}

/** Loads what is printed of a game, and what draws it: until that comes, as networks go away here too. */
function usePrinted(game: string | undefined): Printing {
  const [known, setKnown] = useState<api.Game>();
  const [refused, setRefused] = useState<unknown>();
  const [isTorn, setTorn] = useState(false);
  useEffect(() => {
    if (game === undefined) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    client.game(game, { signal }).then(setKnown, (error: unknown) => signal.aborted || setRefused(error));
    return () => ending.abort();
  }, [game]);
  const drawn = useRead(
    async () => {
      try {
        return game === undefined ? undefined : { ui: await loadUi(game) };
      } catch (error) {
        setTorn(true);
        throw error;
      }
    },
    { key: game, isDone: () => true },
  );
  return { printed: known && drawn && { game: known, ui: drawn.ui }, refused, isTorn };
}
