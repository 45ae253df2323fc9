import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { Areas } from "../board/Areas.js";
import { Pointed } from "../board/Pointed.js";
import { Symbols } from "../board/Symbols.js";
import { useTravel } from "../board/useTravel.js";
import { labelsOf, notesOf } from "../board/words.js";
import { extrasOf } from "../games/extras.js";
import { moveFocus } from "../selectable.js";
import { movePaths, type Selection, select } from "../selection.js";
import { seatNames, EventText } from "../text.js";
import { MoveChoices } from "./MoveChoices.js";
import { type Followed, isSeat } from "./useSession.js";
import { useFocusRestore } from "./useFocusRestore.js";
import { PlayerControls } from "./PlayerControls.js";
import { TableHeader } from "./TableHeader.js";
import { KeyboardShortcuts } from "./KeyboardShortcuts.js";
import { GameLog } from "./GameLog.js";
import { Result } from "./Result.js";
import { Rules } from "./Rules.js";
import { PlayerList } from "./PlayerList.js";
import { ReplaySlider } from "./ReplaySlider.js";
import type { GameAssets } from "./TablePage.js";
import { useMoveSelection } from "./useMoveSelection.js";
import { useReplay } from "./useReplay.js";
import { type Playback, usePlayback } from "./usePlayback.js";

interface GameScreenProps extends Followed {
  session: api.Session;
  position: api.Position;
  assets: GameAssets;
  onSeat: (token: string | undefined) => void;
}

/** The selection while nothing can be selected: in the past, and during an animation. */
const NO_SELECTION: Selection = select([], []);

/** The table during a game and after it. */
export function GameScreen({ session, position: newest, areas, entries, assets, handle, isRemoved, onSeat }: GameScreenProps): JSX.Element {
  const { game, symbols } = assets;
  const root = useRef<HTMLElement>(null);
  const past = useReplay(handle, newest);
  const { position } = past;
  const isPast = past.at !== undefined;
  const names = seatNames(session);
  const playback = usePlayback(position, entries, isPast);
  const paths = useMemo(
    () => (isPast ? [] : movePaths(position.legalMoves, labelsOf(areas, position.scene?.pieces ?? [], symbols))),
    [position, areas, isPast],
  );
  const seat = isSeat(handle) ? handle : undefined;
  // The epoch is part of the key: a server that lost entries reaches the same sequence again, in a new epoch.
  const moveSelection = useMoveSelection(paths, `${session.epoch} ${position.sequence}`, (move) => seat?.act(move));
  const selection = playback.isRunning ? NO_SELECTION : moveSelection.selection;
  useFocusRestore(`${position.sequence}/${playback.isRunning}/${selection.targets.join()}`);
  useTravel(root, playback.pieces);
  const isOver = session.outcome !== undefined;
  const readClocks = isOver || isPast ? undefined : () => handle?.clocks;
  const timeline = <ReplaySlider past={past} entries={entries} names={names} hasKeys={isOver || isPast} showsText={isOver} />;
  const table = { ...{ symbols, names }, seat: position.seat, touched: playback.touched, notes: notesOf(position, names) };
  const board = { game: game.id, areas, pieces: playback.pieces, table: { ...table, control: { selection, onSelect: moveSelection.onSelect } } };
  return (
    <main class="play" data-sequence={position.sequence} onKeyDown={moveFocus} ref={root}>
      <TableHeader session={session} position={position} assets={assets} isPast={isPast} readClocks={readClocks} />
      <PlayerList session={session} position={position} playback={playback} readClocks={readClocks} />
      <section class="board" aria-label="The board" onClick={moveSelection.undo}>
        <Symbols symbols={game.symbols} />
        <LatestEvent playback={playback} names={names} />
        <Areas {...board} part="near" />
        <Pointed root={root} />
      </section>
      <div class="actions">
        {isOver ? (
          <>
            {timeline}
            <Result {...{ session, handle, entries, assets, past }} />
          </>
        ) : isPast ? (
          <ReplayNotice onNow={() => past.look(undefined)} />
        ) : (
          <MoveChoices moveSelection={moveSelection} isSeated={seat !== undefined} />
        )}
        {!isOver && <PlayerControls {...{ session, handle, isRemoved, onSeat }} />}
      </div>
      <section class="board others" aria-label="Other players" onClick={moveSelection.undo}>
        <Areas {...board} part="others" />
      </section>
      <aside class="aside">
        <GameLog entries={entries} names={names} at={past.at}>
          {!isOver && timeline}
        </GameLog>
        <Rules game={game} />
        <KeyboardShortcuts own={extrasOf(game.id)?.keys} />
      </aside>
    </main>
  );
}

/** Shown in place of the moves while the player looks at an earlier position. */
function ReplayNotice({ onNow }: { onNow: () => void }): JSX.Element {
  return (
    <p class="row">
      You are looking at an earlier moment of the game.
      <button class="button now" onClick={onNow}>
        Back to now
      </button>
    </p>
  );
}

/** The latest event that the board shows. */
function LatestEvent({ playback: { latestEvent, isRunning }, names }: { playback: Playback; names: readonly string[] }): JSX.Element {
  return (
    <div class="latest-event">
      <p aria-live="polite">
        {latestEvent && <EventText text={latestEvent.text} names={names} {...(latestEvent.template !== undefined && { template: latestEvent.template })} />}
      </p>
      {isRunning && <button class="button">Skip</button>}
    </div>
  );
}
