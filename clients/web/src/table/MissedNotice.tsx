import type { JSX } from "preact";
import { PlayerName } from "../text.js";
import type { Playback } from "./usePlayback.js";

interface MissedNoticeProps {
  playback: Playback;
  names: readonly string[];
}

/** One line about the moves of others that were not shown one by one, with a button that shows them. */
export function MissedNotice({ playback: { missed, canReview, isRunning, onReview }, names }: MissedNoticeProps): JSX.Element | null {
  if (isRunning || !missed.length) return null;
  return (
    <p class="missed small">
      <span class="who">
        {missed.map(({ seat, count }, place) => (
          <span key={seat}>
            {place > 0 && ", "}
            {count === 1 ? "1 move" : `${count} moves`} by <PlayerName seat={seat} name={names[seat] ?? ""} />
          </span>
        ))}
      </span>
      {canReview && (
        <button class="button" onClick={onReview}>
          Show
        </button>
      )}
    </p>
  );
}
