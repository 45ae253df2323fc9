import { type api, SkerryError } from "skerry-client";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { listen } from "../listen.js";
import { ServerStatus } from "../ServerStatus.js";
import { forgetFinished, seatTokenOf } from "../storage.js";
import { keepFinished } from "../finishedGames.js";
import { reportState } from "../embedding.js";
import { followLink } from "../router.js";
import { errorMessage } from "../server.js";
import { ScreenTitle } from "../ScreenTitle.js";
import { ConnectionStatus } from "./ConnectionStatus.js";
import { isSeat } from "../session/followed.js";
import { type Observed, useSession } from "../session/useSession.js";
import { type GameAssets, useGameAssets } from "./gameAssets.js";
import { GameScreen } from "./GameScreen.js";
import { WaitingRoom } from "./WaitingRoom.js";
import { t } from "../texts/texts.js";

/** The screen of a session: the waiting room before the game, then the game, then its result. */
export default function TablePage({ name }: { name: string }): JSX.Element {
  const [seatToken, setSeatToken] = useState(seatTokenOf(name));
  // A browser has one seat at a table: a seat taken in another tab is this tab's seat too.
  useEffect(() => {
    return listen(["storage"], () => setSeatToken((known) => seatTokenOf(name) ?? known));
  }, [name]);
  const followed = useSession(name, seatToken);
  const { assets, refused } = useGameAssets(followed.session);
  const { session, position, failure } = followed;
  useEffect(() => session && reportState(session, position), [session, position]);
  // A layout effect, so that the token is removed before the result is visible: the player may close the tab at once.
  useLayoutEffect(() => {
    if (session?.state === "SESSION_STATE_FINISHED" || session?.state === "SESSION_STATE_CANCELLED") {
      if (isSeat(followed.handle)) keepFinished(session, followed.handle.number);
      forgetFinished(name, isSeat(followed.handle) ? followed.handle.token : undefined);
    }
  }, [session?.state]);
  const isPrivate = session !== undefined && failure instanceof SkerryError && failure.is("NOT_ALLOWED");
  if ((failure !== undefined && !isPrivate) || refused) return <Failure text={errorMessage(failure ?? refused)} />;
  if (!session || !assets) return <Waiting text={session ? t("table-loading") : t("page-opening", { what: "table" })} />;
  return (
    <>
      <ConnectionStatus connection={followed.connection} />
      <Shown {...followed} session={session} assets={assets} onSeat={setSeatToken} />
    </>
  );
}

interface ShownProps extends Observed {
  session: api.Session;
  assets: GameAssets;
  onSeat: (token: string | undefined) => void;
}

function Shown({ assets, onSeat, ...followed }: ShownProps): JSX.Element {
  const { session, position } = followed;
  if (session.state === "SESSION_STATE_LOBBY") {
    return <WaitingRoom {...{ session, onSeat }} game={assets.game} handle={followed.handle} entries={followed.entries} isRemoved={followed.isRemoved} />;
  }
  if (session.state === "SESSION_STATE_CANCELLED") return <Cancelled title={assets.game.title} entries={followed.entries} />;
  if (!position) {
    return <Failure title={assets.game.title} text={t("table-private")} />;
  }
  return <GameScreen {...followed} {...{ position, assets, onSeat }} />;
}

/** Says who cancelled a session, once its log has arrived. */
function describeCancellation(entries: readonly api.Entry[]): string {
  const end = entries.find((entry) => "cancelled" in entry);
  if (!end) return t("table-cancelled");
  return end.cancelled.byOperator ? t("table-cancelled-by-operator") : t("table-cancelled-by-host");
}

/** The screen of a cancelled session. */
function Cancelled({ title, entries }: { title: string; entries: readonly api.Entry[] }): JSX.Element {
  useEffect(() => {
    document.title = `${title} – Skerry`;
  }, [title]);
  return (
    <main class="wait">
      <ScreenTitle text={title} />
      <p role="status">{describeCancellation(entries)}</p>
      <a class="button" href="/" onClick={followLink}>
        {t("table-all")}
      </a>
    </main>
  );
}

function Failure({ title = t("table-none"), text }: { title?: string; text: string }): JSX.Element {
  return (
    <main class="wait">
      <ScreenTitle text={title} />
      <p>{text}</p>
      <a class="button" href="/" onClick={followLink}>
        {t("table-all")}
      </a>
    </main>
  );
}

/** Shown until the table is loaded, with the reason if that takes long. */
function Waiting({ text }: { text: string }): JSX.Element {
  return (
    <main class="wait">
      <p>{text}</p>
      <ServerStatus />
    </main>
  );
}
