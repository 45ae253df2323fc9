import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { type Choice, choose } from "../choice.js";
import { held, waysTo } from "../games/ui.js";
import { steer } from "../hot.js";
import { namesOf, Sentence } from "../words.js";
import { Choices } from "./Choices.js";
import { type Followed, isSeat } from "./follow.js";
import { useFocusKept } from "./focus.js";
import { Going } from "./Going.js";
import { Heading } from "./Heading.js";
import { Keys } from "./Keys.js";
import { Log } from "./Log.js";
import { Result } from "./Result.js";
import { Rules } from "./Rules.js";
import { Seats } from "./Seats.js";
import { Timeline } from "./Timeline.js";
import type { Printed } from "./TablePage.js";
import { useChoosing } from "./choosing.js";
import { usePast } from "./past.js";
import { type Stage, useStage } from "./stage.js";

interface PlayProps extends Followed {
  session: api.Session;
  position: api.Position;
  printed: Printed;
  onSeat: (token: string | undefined) => void;
}

/** Nothing can be touched in a picture of what has been. */
const UNTOUCHABLE: Choice = choose([], []);

/** A game at the table: live, or over. */
export function Play({ session, position: newest, entries, printed, handle, isRemoved, onSeat }: PlayProps): JSX.Element {
  const { game, ui } = printed;
  const past = usePast(handle, newest);
  const { position } = past;
  const isPast = past.at !== undefined;
  const names = namesOf(session);
  const board = ui && game.board && held(game.board, ui);
  const view = ui && held(position.view, ui);
  const ways = useMemo(() => waysTo(isPast ? [] : position.legalMoves, ui, board, view), [position, isPast]);
  const seat = isSeat(handle) ? handle : undefined;
  // A server that has lost entries comes back to a sequence at which a move was sent: then in another epoch.
  const reached = `${session.epoch} ${position.sequence}`;
  const choosing = useChoosing(ways, reached, ui?.grave ?? [], (move) => seat?.act(move));
  const stage = useStage(position, entries, ui, isPast);
  const choice = stage.isRunning ? UNTOUCHABLE : choosing.choice;
  useFocusKept(`${position.sequence}/${stage.isRunning}/${choice.taken.join()}`);
  const Board = ui?.Board;
  const isOver = session.outcome !== undefined;
  const readClocks = isOver || isPast ? undefined : () => handle?.clocks;
  const timeline = <Timeline past={past} entries={entries} names={names} hasKeys={isOver || isPast} tells={isOver} />;
  return (
    <main class="play" data-sequence={position.sequence} onKeyDown={steer}>
      <Heading session={session} position={position} printed={printed} isPast={isPast} readClocks={readClocks} />
      <Seats session={session} position={position} printed={printed} stage={stage} readClocks={readClocks} />
      <section class="board" aria-label="The board" onClick={choosing.takeBack}>
        <Told stage={stage} names={names} />
        {Board && (
          <Board
            {...{ board, names, choice }}
            view={stage.view}
            events={stage.events}
            seat={position.seat}
            onTouch={choosing.onTouch}
          />
        )}
      </section>
      <div class="doing">
        {isOver ? (
          <>
            {timeline}
            <Result {...{ session, handle, entries, printed, past }} />
          </>
        ) : isPast ? (
          <LookingBack onNow={() => past.look(undefined)} />
        ) : (
          <Choices choosing={choosing} headings={ui?.headings ?? {}} isSeated={seat !== undefined} />
        )}
        {!isOver && <Going {...{ session, handle, isRemoved, onSeat }} />}
      </div>
      <aside class="aside">
        <Log entries={entries} names={names} at={past.at}>
          {!isOver && timeline}
        </Log>
        <Rules game={game} />
        <Keys ui={ui} />
      </aside>
    </main>
  );
}

/** Stands in place of what can be done now while an earlier position is looked at. */
function LookingBack({ onNow }: { onNow: () => void }): JSX.Element {
  return (
    <p class="row">
      You are looking at an earlier moment of the game.
      <button class="button now" onClick={onNow}>
        Back to now
      </button>
    </p>
  );
}

/** The last thing that happened, as it is shown in the picture. */
function Told({ stage: { told, isRunning }, names }: { stage: Stage; names: readonly string[] }): JSX.Element {
  return (
    <div class="told">
      <p aria-live="polite">
        {told && <Sentence text={told.text} names={names} {...(told.template !== undefined && { template: told.template })} />}
      </p>
      {isRunning && <button class="button">Skip</button>}
    </div>
  );
}
