import type { api } from "skerry-client";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Name, Sentence } from "../words.js";

interface LogProps {
  entries: readonly api.Entry[];
  names: readonly string[];
  /** The entry that is looked at. Absent: the newest. */
  at: number | undefined;
  /** What stands above the entries. */
  children?: ComponentChildren;
}

/** What happened, the newest first, in the sentences of the server. */
export function Log({ entries, names, at, children }: LogProps): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const looked = list.current?.querySelector<HTMLElement>("[aria-current]");
    // Not `scrollIntoView`, which would move the page too.
    if (list.current) list.current.scrollTop = looked ? looked.offsetTop - list.current.clientHeight / 2 : 0;
  }, [at]);
  return (
    <details class="panel log" open={matchMedia("(min-width: 1024px)").matches}>
      <summary>
        <h2>What happened</h2>
      </summary>
      {children}
      <ol ref={list} reversed tabIndex={0} aria-label="What happened, the newest first">
        {[...entries].reverse().map((entry) => (
          <li key={entry.sequence} aria-current={Number(entry.sequence) === at ? "step" : undefined}>
            <Told entry={entry} names={names} newestFirst />
          </li>
        ))}
      </ol>
    </details>
  );
}

interface ToldProps {
  entry: api.Entry;
  names: readonly string[];
  newestFirst?: boolean;
}

/** What one entry of the log tells. */
export function Told({ entry, names, newestFirst }: ToldProps): JSX.Element | null {
  if ("moved" in entry) {
    const { events } = entry.moved;
    return (
      <>
        {(newestFirst ? [...events].reverse() : events).map((event, place) => (
          <p key={place}>
            <Sentence text={event.text} names={names} {...(event.template !== undefined && { template: event.template })} />
          </p>
        ))}
      </>
    );
  }
  if ("joined" in entry) {
    return (
      <p>
        <Name name={entry.joined.displayName} /> sits down.
      </p>
    );
  }
  if ("left" in entry) {
    return (
      <p>
        <Name name={names[entry.seat ?? 0] ?? ""} /> leaves; a bot plays on.
      </p>
    );
  }
  if ("started" in entry) return <p>The game begins.</p>;
  return "created" in entry ? <p>The table is laid.</p> : null;
}
