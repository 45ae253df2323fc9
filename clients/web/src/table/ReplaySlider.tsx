import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { listen } from "../listen.js";
import { LogEntry } from "./GameLog.js";
import type { Span } from "../analysis/curve.js";
import type { Replay } from "./useReplay.js";
import { entryContexts } from "./entryContext.js";
import { t } from "../texts/texts.js";

interface ReplaySliderProps {
  past: Replay;
  /** The whole log. */
  entries: readonly api.Entry[];
  names: readonly string[];
  /** Whether the arrow keys work wherever the focus is, unless the focused element uses them. */
  hasKeys: boolean;
  /** Whether it shows the text of the entry. Beside the log that would be redundant. */
  showsText: boolean;
  /** Returns what is shown above the slider: the analysis of a finished game. */
  renderAnalysis?: ((span: Span) => JSX.Element) | undefined;
}

/** Returns the sequence of the first entry with a position. 0 if there is none. */
export function firstEntry(entries: readonly api.Entry[]): number {
  // A fork has no started entry before the moves that it copies.
  return Number(entries.find((entry) => "started" in entry || "moved" in entry)?.sequence ?? 0);
}

/** A slider over the log. It shows the table as it was after each entry since the start. */
export function ReplaySlider({ past, entries, names, hasKeys, showsText, renderAnalysis }: ReplaySliderProps): JSX.Element | null {
  const first = firstEntry(entries);
  const last = Number(entries[entries.length - 1]?.sequence ?? 0);
  const now = past.at ?? last;
  const go = (to: number): void => past.look(to >= last ? undefined : Math.max(first, to));
  usePieceKeys(hasKeys, { ArrowLeft: () => go(now - 1), ArrowRight: () => go(now + 1), Home: () => go(first), End: () => go(last) });
  const entry = entries.find(({ sequence }) => Number(sequence) === now);
  if (!first || last <= first) return null;
  return (
    <section class="timeline" aria-label={t("timeline")}>
      {renderAnalysis?.({ first, last, now })}
      <div class="line">
        <button class="button" aria-label={t("timeline-previous")} disabled={now <= first} onClick={() => go(now - 1)}>
          ‹
        </button>
        <input
          type="range"
          aria-label={t("timeline-entry")}
          aria-valuetext={t("timeline-value", { now, last })}
          min={first}
          max={last}
          value={now}
          onInput={(event) => go(Number(event.currentTarget.value))}
        />
        <button class="button" aria-label={t("timeline-next")} disabled={now >= last} onClick={() => go(now + 1)}>
          ›
        </button>
        <span class="figures small soft">{t("timeline-of", { now, last })}</span>
      </div>
      {showsText && (
        <div class="small entry-text" tabIndex={0} role="group" aria-label={t("timeline-event")}>
          {entry && <LogEntry entry={entry} names={names} context={entryContexts(entries, names).get(entry.sequence)} />}
        </div>
      )}
    </section>
  );
}

/** Handles keys while no element has the focus, except the slider's buttons and the heading. */
function usePieceKeys(isOn: boolean, keys: Readonly<Record<string, () => void>>): void {
  useLayoutEffect(() => {
    if (!isOn) return;
    const pressed = (event: KeyboardEvent): void => {
      const focused = document.activeElement;
      const isFree = !focused || focused === document.body || focused.matches(".timeline button, h1");
      const key = keys[event.key];
      if (!key || !isFree || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      key();
    };
    return listen(["keydown"], pressed);
  });
}
