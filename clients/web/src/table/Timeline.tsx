import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Told } from "./Log.js";
import type { Past } from "./past.js";
import { circumstancesOf } from "./people.js";

interface TimelineProps {
  past: Past;
  /** The whole log. */
  entries: readonly api.Entry[];
  names: readonly string[];
  /** Whether its keys work wherever the focus is, unless something else there uses them. */
  hasKeys: boolean;
  /** Whether it says what the entry tells. Beside the log, that does. */
  tells: boolean;
}

/** A slider over the log: the table as it was right after each entry since the game began. */
export function Timeline({ past, entries, names, hasKeys, tells }: TimelineProps): JSX.Element | null {
  // A game that went on from within another one begins with the moves that led there.
  const first = Number(entries.find((entry) => "started" in entry || "moved" in entry)?.sequence ?? 0);
  const last = Number(entries[entries.length - 1]?.sequence ?? 0);
  const now = past.at ?? last;
  const go = (to: number): void => past.look(to >= last ? undefined : Math.max(first, to));
  useKeys(hasKeys, { ArrowLeft: () => go(now - 1), ArrowRight: () => go(now + 1), Home: () => go(first), End: () => go(last) });
  const entry = entries.find(({ sequence }) => Number(sequence) === now);
  if (!first || last <= first) return null;
  return (
    <section class="timeline" aria-label="Replay">
      <div class="line">
        <button class="button" aria-label="Previous entry" disabled={now <= first} onClick={() => go(now - 1)}>
          ‹
        </button>
        <input
          type="range"
          aria-label="Log entry"
          aria-valuetext={`entry ${now} of ${last}`}
          min={first}
          max={last}
          value={now}
          onInput={(event) => go(Number(event.currentTarget.value))}
        />
        <button class="button" aria-label="Next entry" disabled={now >= last} onClick={() => go(now + 1)}>
          ›
        </button>
        <span class="figures small soft">
          {now} of {last}
        </span>
      </div>
      {tells && (
        <div class="small retold" tabIndex={0} role="group" aria-label="What happened in this entry">
          {entry && <Told entry={entry} names={names} circumstances={circumstancesOf(entries, names).get(entry.sequence)} />}
        </div>
      )}
    </section>
  );
}

/** Listens to keys that nothing else uses: none that has the focus, but for the slider's own surroundings. */
function useKeys(isOn: boolean, keys: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    if (!isOn) return;
    const pressed = (event: KeyboardEvent): void => {
      const focused = document.activeElement;
      const isFree = !focused || focused === document.body || focused.matches(".timeline button, h1");
      const key = keys[event.key];
      if (!key || !isFree || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      key();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
}
