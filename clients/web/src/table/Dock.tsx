import type { api, Seat, Table } from "skerry-client";
import type { ComponentChildren, JSX } from "preact";
import type { DrawerState } from "./Drawer.js";
import { isSeat } from "../session/followed.js";
import { HintButton } from "./HintButton.js";
import { MoveChoices } from "./MoveChoices.js";
import { SeatNotices } from "./PlayerControls.js";
import { TakeBack } from "./TakeBack.js";
import type { MoveSelection } from "./useMoveSelection.js";
import type { Replay } from "./useReplay.js";
import { t } from "../texts/texts.js";

interface DockProps {
  session: api.Session;
  handle: Seat | Table | undefined;
  isRemoved: boolean;
  onSeat: (token: string | undefined) => void;
  moveSelection: MoveSelection;
  position: api.Position;
  /** Identifies what the player chooses from: it changes with moves, not with what players say. */
  positionKey: string;
  isOnTable: (target: string) => boolean;
  drawer: DrawerState;
  past: Replay;
  isOver: boolean;
  timeline: JSX.Element;
  /** What the player holds. */
  children: ComponentChildren;
}

/** Everything with which the player decides, below the board: the cards and pieces held, the question, and the buttons. */
export function Dock({ children, drawer, past, isOver, timeline, moveSelection, position, positionKey, isOnTable, ...seats }: DockProps): JSX.Element {
  const more = (
    <button class="button quiet more" aria-expanded={drawer.isOpen} aria-controls="drawer" onClick={() => drawer.setOpen(!drawer.isOpen)}>
      {drawer.isOpen ? t("dock-back") : isOver ? t("dock-result") : <span>{t("dock-log")}<span class="rest">{t("dock-log-rest")}</span></span>}
    </button>
  );
  return (
    <div class="dock">
      {children}
      <SeatNotices {...seats} />
      {isOver ? (
        <div class="bar over">
          {timeline}
          {more}
        </div>
      ) : past.at !== undefined ? (
        <ReplayNotice onNow={() => past.look(undefined)}>{more}</ReplayNotice>
      ) : (
        <MoveChoices {...{ moveSelection, isOnTable }} isSeated={isSeat(seats.handle)}>
          {moveSelection.selection.targets.length === 0 && <TakeBack handle={seats.handle} {...{ position, positionKey }} />}
          {seats.session.hints && isSeat(seats.handle) && moveSelection.selection.paths.length > 0 && (
            <HintButton seat={seats.handle} positionKey={positionKey} propose={moveSelection.propose} />
          )}
          {more}
        </MoveChoices>
      )}
    </div>
  );
}

/** Shown in place of the moves while the player looks at an earlier position. */
function ReplayNotice({ onNow, children }: { onNow: () => void; children: JSX.Element }): JSX.Element {
  return (
    <div class="bar">
      <span>{t("dock-past")}</span>
      {children}
      <button class="button now" onClick={onNow}>
        {t("dock-now")}
      </button>
    </div>
  );
}
