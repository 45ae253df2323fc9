import type { api, Seat, Table } from "skerry-client";
import type { JSX } from "preact";
import { extrasOf } from "../games/extras.js";
import { useSetting } from "../settings.js";
import type { Tab } from "./Drawer.js";
import { GameLog } from "./GameLog.js";
import { KeyboardShortcuts } from "./KeyboardShortcuts.js";
import { PlayerControls } from "./PlayerControls.js";
import { Result } from "./Result.js";
import { Rules } from "./Rules.js";
import type { GameAssets } from "./gameAssets.js";
import type { Playback } from "./usePlayback.js";
import type { Replay } from "./useReplay.js";

/** What the tabs of the drawer show. */
export interface TabContents {
  session: api.Session;
  position: api.Position;
  entries: readonly api.Entry[];
  names: readonly string[];
  assets: GameAssets;
  handle: Seat | Table | undefined;
  past: Replay;
  playback: Playback;
  /** Whether the game is over, and its last event is shown. */
  isOver: boolean;
  /** Whether the game has ended before the viewer's eyes. */
  isLive: boolean;
  onSeat: (token: string | undefined) => void;
  /** The slider over the log. */
  timeline: JSX.Element;
}

/** Returns the tabs of the drawer, in their order. */
export function drawerTabs({ session, entries, names, assets, handle, past, playback, isOver, isLive, timeline }: TabContents): Tab[] {
  const { game } = assets;
  const tabs: (Tab | false)[] = [
    isOver && { id: "result", title: "Result", render: () => <Result {...{ session, handle, entries, assets, past, isLive }} /> },
    { id: "log", title: "Log", render: () => <GameLog {...{ entries, names }} at={past.at} shown={playback.shown}>{!isOver && timeline}</GameLog> },
    { id: "rules", title: "Rules", render: () => <Rules game={game} /> },
    { id: "table", title: "Table", render: () => <TableTab {...{ session, handle }} /> },
    { id: "keys", title: "Keys", render: () => <KeyboardShortcuts own={extrasOf(game.id)?.keys} /> },
  ];
  return tabs.filter((tab) => tab !== false);
}

/** The settings of this browser, and what a player or the host can do about the game. */
function TableTab({ session, handle }: Pick<TabContents, "session" | "handle">): JSX.Element {
  const [isConfirming, setConfirming] = useSetting("confirm");
  return (
    <>
      <label class="check">
        <input type="checkbox" checked={isConfirming} onChange={({ currentTarget }) => setConfirming(currentTarget.checked)} />
        Confirm each move
      </label>
      {session.outcome === undefined && <PlayerControls {...{ session, handle }} />}
    </>
  );
}
