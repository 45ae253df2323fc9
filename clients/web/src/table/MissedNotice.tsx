import type { JSX } from "preact";
import { PlayerName } from "../text.js";
import { useAttempt } from "../useAttempt.js";
import type { Playback } from "./usePlayback.js";
import { rich, t } from "../texts/texts.js";

interface MissedNoticeProps {
  playback: Playback;
  names: readonly string[];
}

/** One line about the moves of others that were not shown one by one, with a button that shows them. */
export function MissedNotice({ playback: { missed, isRunning, onReview }, names }: MissedNoticeProps): JSX.Element | null {
  const { refused, isBusy, attempt } = useAttempt();
  if (isRunning || !missed.length) return null;
  return (
    <p class="missed small">
      <span class="who">
        {missed.map(({ seat, count }, place) => (
          <span key={seat}>
            {place > 0 && ", "}
            {rich("missed", { count, name: <PlayerName seat={seat} name={names[seat] ?? ""} /> })}
          </span>
        ))}
      </span>
      <button class="button" disabled={isBusy} onClick={() => attempt(onReview)}>
        {t("missed-show")}
      </button>
      {refused && <span role="alert">{refused}</span>}
    </p>
  );
}
