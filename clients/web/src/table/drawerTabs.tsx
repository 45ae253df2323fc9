import type { api, Seat, Table } from "skerry-client";
import type { JSX } from "preact";
import { tableExtrasOf } from "../games/tableExtras.js";
import { NotifySwitch } from "../NotifySwitch.js";
import { isSeat } from "../session/followed.js";
import { showTab } from "../drawerTab.js";
import { useSetting } from "../settings.js";
import { RESULT, type Tab } from "./Drawer.js";
import { ShareButton } from "./ShareButton.js";
import { EmoteMenu } from "./EmoteMenu.js";
import { GameLog } from "./GameLog.js";
import { Instructions } from "../Instructions.js";
import { KeyboardShortcuts } from "./KeyboardShortcuts.js";
import { PlayerControls } from "./PlayerControls.js";
import { Result } from "./Result.js";
import { Rules } from "./Rules.js";
import { editionOf, type GameAssets } from "./gameAssets.js";
import type { Playback } from "./usePlayback.js";
import type { Replay } from "./useReplay.js";
import { CheckBox } from "../CheckBox.js";
import { LanguageSelect } from "../LanguageSelect.js";
import { t } from "../texts/texts.js";

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
export function drawerTabs(contents: TabContents): Tab[] {
  const { session, entries, assets, handle, past, isOver, isLive } = contents;
  const { game } = assets;
  const tabs: (Tab | false)[] = [
    isOver && { id: RESULT, title: t("result"), isKept: true, render: () => <Result {...{ session, handle, entries, assets, past, isLive }} /> },
    { id: "log", title: t("drawer-log"), render: () => <LogTab {...contents} /> },
    { id: "how", title: t("drawer-how"), render: () => <Instructions game={game} edition={editionOf(session)}>{<NumberedRules />}</Instructions> },
    { id: "rules", title: t("drawer-rules"), render: () => <Rules game={game} /> },
    { id: "table", title: t("drawer-table"), render: () => <TableTab {...{ session, handle }} title={game.title} /> },
    { id: "keys", title: t("drawer-keys"), render: () => <KeyboardShortcuts own={tableExtrasOf(game.id)?.keys} /> },
  ];
  return tabs.filter((tab) => tab !== false);
}

/** The log. During the game, what the player can say and the slider are above it. */
function LogTab({ session, entries, names, handle, past, playback, isOver, timeline }: TabContents): JSX.Element {
  const isPlaying = isSeat(handle) && session.outcome === undefined && session.seats[handle.number]?.occupant === "OCCUPANT_PLAYER";
  return (
    <GameLog {...{ entries, names }} at={past.at} shown={playback.shown}>
      {isPlaying && <EmoteMenu seat={handle} isInPlay />}
      {!isOver && timeline}
    </GameLog>
  );
}

/** Leads from the instructions to the rules themselves. */
function NumberedRules(): JSX.Element {
  return (
    <button class="button" onClick={() => showTab("rules")}>
      {t("drawer-all-rules")}
    </button>
  );
}

/** The settings of this browser, and what a player or the host can do about the game. */
function TableTab({ session, handle, title }: Pick<TabContents, "session" | "handle"> & { title: string }): JSX.Element {
  const [isConfirming, setConfirming] = useSetting("confirm");
  const [hasSound, setSound] = useSetting("sound");
  const [hasEmotes, setEmotes] = useSetting("emotes");
  return (
    <>
      <LanguageSelect label={t("page-language")} />
      <CheckBox isChecked={isConfirming} onChange={setConfirming}>
        {t("setting-confirm")}
      </CheckBox>
      <CheckBox isChecked={hasSound} shortcut="m" onChange={setSound}>
        {t("setting-sound")}
      </CheckBox>
      <CheckBox isChecked={hasEmotes} onChange={setEmotes}>
        {t("setting-emotes")}
      </CheckBox>
      {isSeat(handle) && <NotifySwitch />}
      <p class="row">
        <ShareButton {...{ session, handle, title }} />
      </p>
      {session.outcome === undefined && <PlayerControls {...{ session, handle }} />}
    </>
  );
}
