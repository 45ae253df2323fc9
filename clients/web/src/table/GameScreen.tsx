import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { AnalyseGame } from "../analysis/AnalyseGame.js";
import type { Span } from "../analysis/curve.js";
import { BadgesContext, useBadges } from "../board/Badges.js";
import { Pane } from "../board/Pane.js";
import { Pointed } from "../board/Pointed.js";
import { Symbols } from "../board/Symbols.js";
import { useTravel } from "../board/useTravel.js";
import { labelsOf, notesOf } from "../board/words.js";
import { showTab } from "../drawerTab.js";
import { useKey } from "../useKey.js";
import { areasByRole } from "../board/areaRoles.js";
import { isLarge } from "../board/layOut.js";
import { LessonPanel } from "../learn/LessonPanel.js";
import { answerTo, useLesson } from "../learn/useLesson.js";
import { movePaths, type Selection, select } from "../selection.js";
import { seatNames, EventText } from "../text.js";
import { isTurnOf } from "../session/turns.js";
import type { Observed } from "../session/useSession.js";
import { Dock } from "./Dock.js";
import { Drawer, useDrawer } from "./Drawer.js";
import { drawerTabs } from "./drawerTabs.js";
import { useKeyboardFocus } from "./useKeyboardFocus.js";
import { useEmotes } from "./useEmotes.js";
import { TableHeader } from "./TableHeader.js";
import { PlayerList } from "./PlayerList.js";
import { ReplaySlider } from "./ReplaySlider.js";
import type { GameAssets } from "./gameAssets.js";
import { MissedNotice } from "./MissedNotice.js";
import { useDecisionKey } from "./useDecisionKey.js";
import { useMoveKeys } from "./useMoveKeys.js";
import { useMoveSelection } from "./useMoveSelection.js";
import { useReplay } from "./useReplay.js";
import { useSignals } from "./useSignals.js";
import { type Playback, usePlayback } from "./usePlayback.js";
import { t } from "../texts/texts.js";

interface GameScreenProps extends Observed {
  session: api.Session;
  position: api.Position;
  assets: GameAssets;
  onSeat: (token: string | undefined) => void;
}

const NO_ANNOTATIONS: readonly api.Annotation[] = [];

const NO_MARKS: ReadonlySet<string> = new Set();

/** The selection while nothing can be selected: in the past, and during an animation. */
const NO_SELECTION: Selection = select([], []);
const doNothing = (): void => undefined;

/**
 * The table during a game and after it, as a stage of the size of the window: the players above, the board in the middle,
 * what the player holds and decides below it, and a drawer for everything else.
 */
export function GameScreen({ session, position: newest, areas, entries, assets, handle, isRemoved, act, onSeat }: GameScreenProps): JSX.Element {
  const { game, symbols } = assets;
  const root = useRef<HTMLElement>(null);
  const [isLive] = useState(session.outcome === undefined);
  const past = useReplay(handle, newest);
  const { position } = past;
  const isPast = past.at !== undefined;
  const names = useMemo(() => seatNames(session), [session]);
  const playback = usePlayback(position, entries, isPast, handle);
  const labels = useMemo(() => labelsOf(areas, position.scene?.pieces ?? [], symbols), [areas, position, symbols]);
  const lesson = useLesson(session, newest, entries, game, playback.isRunning);
  const offered = lesson?.moves ?? position.legalMoves;
  const paths = useMemo(() => (isPast ? [] : movePaths(offered, labels)), [position, labels, isPast, lesson?.number, playback.isRunning]);
  const legal = useMemo(
    () => new Set(lesson ? movePaths(position.legalMoves, labels).flatMap(({ steps }) => steps.map(({ target }) => target)) : []),
    [position, labels, lesson === undefined],
  );
  const positionKey = useDecisionKey(session.epoch, newest, entries);
  const own = useMoveSelection(paths, positionKey, act, (target, chosen) =>
    isPast || playback.isRunning || session.outcome || (lesson?.step && answerTo(lesson.step, target, legal)) ? undefined : handle?.explain(target, chosen),
  );
  // What is selected stays, but a click or Escape that skips the playback does not clear it.
  const moveSelection = playback.isRunning || isPast ? { ...own, selection: NO_SELECTION, undo: doNothing } : own;
  const { selection, onSelect, onExplain, undo } = moveSelection;
  useMoveKeys(moveSelection);
  useKey("?", () => showTab("keys"));
  useKeyboardFocus(`${positionKey}/${past.at}/${playback.isRunning}/${selection.targets.join()}`);
  useTravel(root, playback.pieces, symbols);
  const [opened, setOpened] = useState<number>();
  const said = useEmotes(entries, position.seat);
  const isOver = session.outcome !== undefined && !playback.isRunning;
  const isMine = !isPast && !playback.isRunning && isTurnOf(session, position);
  useSignals({ title: game.title, isMine, isOver, playback, seat: position.seat, isRefused: own.refused !== undefined && !own.refused.isExplanation });
  const readClocks = isOver || isPast ? undefined : () => handle?.clocks;
  const drawer = useDrawer(isOver);
  const canAnalyse = isOver && game.levels.length > 1; // with a single level, the server has no bots that think
  const renderAnalysis = handle && canAnalyse ? (span: Span) => <AnalyseGame {...{ handle, session, names, span, look: past.look }} own={position.seat} /> : undefined;
  const timeline = <ReplaySlider past={past} entries={entries} names={names} hasKeys={isOver || isPast} showsText={isOver} renderAnalysis={renderAnalysis} />;
  const drawn = playback.step?.before ?? position; // what the board shows was annotated before the moves that it still shows
  const notes = useMemo(() => notesOf(drawn, names), [drawn, names.join()]);
  const badges = useBadges(root, drawn.scene?.annotations ?? NO_ANNOTATIONS, selection.targets);
  const control = useMemo(() => ({ selection, onSelect }), [selection.targets.join(), paths, playback.isRunning, own.busy]);
  const table = useMemo(
    () => ({ symbols, names, seat: position.seat, touched: playback.touched, lit: playback.lit, notes, control, taught: lesson?.marks ?? NO_MARKS }),
    [symbols, names.join(), position.seat, playback.touched, playback.lit, notes, control, lesson?.number, playback.isRunning],
  );
  const { board, hand } = useMemo(() => areasByRole(areas, { own: position.seat, isOver, opened, control, pieces: playback.pieces }), [
    areas,
    position.seat,
    isOver,
    opened,
    control,
    playback.pieces,
  ]);
  const pane = { game: game.id, pieces: playback.pieces, table, onBeside: undo, onExplain };
  const tabs = drawerTabs({ session, position, entries, names, assets, handle, past, playback, isOver, isLive, onSeat, timeline });
  return (
    <BadgesContext.Provider value={badges}>
      <main class={`play ${game.id}`} data-sequence={position.sequence} ref={root}>
        <TableHeader session={session} position={position} assets={assets} isPast={isPast} playback={playback} readClocks={readClocks} />
        <PlayerList {...{ session, position, playback, said, readClocks, opened }} onOpen={setOpened} />
        <LatestEvent playback={playback} names={names} />
        <section class="board stage" aria-label={t("board")}>
          <Symbols symbols={game.symbols} />
          <Pane {...pane} {...board} kind="board" />
          <Pointed root={root} />
        </section>
        <Dock {...{ session, position, handle, isRemoved, onSeat, moveSelection, drawer, past, isOver, timeline }} positionKey={positionKey} isOnTable={(id) => labels.has(id)}>
          {lesson && !isPast && <LessonPanel {...{ lesson, game, root, legal }} isOpen={(id) => selection.next.has(id) || selection.targets.includes(id)} />}
          {hand.areas.length > 0 && (
            <section class={isLarge(hand, { pieces: playback.pieces, symbols }) ? "board hand large" : "board hand"} aria-label={t("board-own")}>
              <Pane {...pane} {...hand} kind="hand" />
            </section>
          )}
        </Dock>
        <Drawer tabs={tabs} state={drawer} />
      </main>
    </BadgesContext.Provider>
  );
}

/** The latest event that the board shows. */
function LatestEvent({ playback, names }: { playback: Playback; names: readonly string[] }): JSX.Element {
  const { latestEvent, isRunning } = playback;
  return (
    <div class="latest-event small">
      <p aria-live="polite">
        {latestEvent && <EventText text={latestEvent.text} names={names} {...(latestEvent.template !== undefined && { template: latestEvent.template })} />}
      </p>
      <MissedNotice playback={playback} names={names} />
      {isRunning && <button class="button">{t("skip")}</button>}
    </div>
  );
}
