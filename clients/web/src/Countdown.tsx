import type { JSX } from "preact";
import { formatTime, spokenTime, useRedraw } from "./time.js";

/** The time since a moment, by `Date.now()`. */
export function Stopwatch({ since }: { since: number }): JSX.Element {
  useRedraw(true);
  return <Time ms={Math.floor((Date.now() - since) / 1000) * 1000} />;
}

/** The time until a moment, by `Date.now()`. */
export function Countdown({ until }: { until: number }): JSX.Element {
  useRedraw(true);
  return <Time ms={until - Date.now()} />;
}

function Time({ ms }: { ms: number }): JSX.Element {
  const shown = Math.max(0, ms);
  return (
    <span class="figures" role="timer" aria-label={spokenTime(shown)}>
      {formatTime(shown)}
    </span>
  );
}
