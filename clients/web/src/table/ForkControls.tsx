import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { defaultLevel, LevelSelect } from "../LevelSelect.js";
import { forkGame } from "../session/tableActions.js";
import type { Replay } from "./useReplay.js";
import { t } from "../texts/texts.js";

interface ForkControlsProps {
  session: api.Session;
  past: Replay;
  /** The levels of bots, from weak to strong. */
  levels: readonly string[];
  attempt: (doing: () => Promise<void>) => void;
}

/**
 * Continues from the position shown, on the viewer's seat, or for spectators on the seat whose turn it was. Bots of the
 * level chosen play the other seats.
 */
export function ForkControls({ session, past: { at, position }, levels, attempt }: ForkControlsProps): JSX.Element | null {
  const [level, setLevel] = useState(() => strongestLevel(session, levels));
  if (at === undefined || Number(position.sequence) !== at || position.outcome) return null;
  const [mover = 0] = position.toAct;
  const seat = position.seat ?? mover;
  return (
    <>
      <LevelSelect label={t("new-strength")} {...{ levels, level }} onChange={setLevel} />
      <button class="button now" onClick={() => attempt(() => forkGame(session, at, seat, level))}>
        {t("result-fork")}
      </button>
    </>
  );
}

/** Returns the level of the strongest bot of a game. After a lesson, or if none has played in it, it is the usual level. */
function strongestLevel({ seats }: api.Session, levels: readonly string[]): string {
  const played = Math.max(...seats.map(({ level = "" }) => levels.indexOf(level)));
  return levels[played] ?? defaultLevel(levels);
}
