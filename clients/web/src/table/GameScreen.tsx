import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { type Selection, select } from "../selection.js";
import { forGame, movePaths } from "../games/ui.js";
import { moveFocus } from "../selectable.js";
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
export function GameScreen({ session, position: newest, entries, assets, handle, isRemoved, onSeat }: GameScreenProps): JSX.Element {
  const { game, ui } = assets;
  const past = useReplay(handle, newest);
  const { position } = past;
  const isPast = past.at !== undefined;
  const names = seatNames(session);
  const board = ui && game.board && forGame(game.board, ui);
  const view = ui && forGame(position.view, ui);
  const paths = useMemo(() => movePaths(isPast ? [] : position.legalMoves, ui, board, view), [position, isPast]);
  const seat = isSeat(handle) ? handle : undefined;
  // The epoch is part of the key: a server that lost entries reaches the same sequence again, in a new epoch.
  const positionKey = `${session.epoch} ${position.sequence}`;
  const moveSelection = useMoveSelection(paths, positionKey, ui?.confirmKinds ?? [], (move) => seat?.act(move));
  const playback = usePlayback(position, entries, ui, isPast);
  const selection = playback.isRunning ? NO_SELECTION : moveSelection.selection;
  useFocusRestore(`${position.sequence}/${playback.isRunning}/${selection.targets.join()}`);
  const Board = ui?.Board;
  const isOver = session.outcome !== undefined;
  const readClocks = isOver || isPast ? undefined : () => handle?.clocks;
  const timeline = <ReplaySlider past={past} entries={entries} names={names} hasKeys={isOver || isPast} showsText={isOver} />;
  return (
    <main class="play" data-sequence={position.sequence} onKeyDown={moveFocus}>
      <TableHeader session={session} position={position} assets={assets} isPast={isPast} readClocks={readClocks} />
      <PlayerList session={session} position={position} assets={assets} playback={playback} readClocks={readClocks} />
      <section class="board" aria-label="The board" onClick={moveSelection.undo}>
        <LatestEvent playback={playback} names={names} />
        {Board && (
          <Board
            {...{ board, names, selection }}
            view={playback.view}
            events={playback.events}
            seat={position.seat}
            onSelect={moveSelection.onSelect}
          />
        )}
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
          <MoveChoices moveSelection={moveSelection} headings={ui?.headings ?? {}} isSeated={seat !== undefined} />
        )}
        {!isOver && <PlayerControls {...{ session, handle, isRemoved, onSeat }} />}
      </div>
      <aside class="aside">
        <GameLog entries={entries} names={names} at={past.at}>
          {!isOver && timeline}
        </GameLog>
        <Rules game={game} />
        <KeyboardShortcuts ui={ui} />
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
