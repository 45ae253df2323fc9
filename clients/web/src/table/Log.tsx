import type { api } from "skerry-client";
import type { JSX } from "preact";
import { Name, Sentence } from "../words.js";

/** What happened, the newest first, in the sentences of the server. */
export function Log({ entries, names }: { entries: readonly api.Entry[]; names: readonly string[] }): JSX.Element {
  return (
    <details class="panel log" open={matchMedia("(min-width: 1024px)").matches}>
      <summary>
        <h2>What happened</h2>
      </summary>
      <ol reversed tabIndex={0} aria-label="What happened, the newest first">
        {[...entries].reverse().map((entry) => (
          <li key={entry.sequence}>
            <Told entry={entry} names={names} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function Told({ entry, names }: { entry: api.Entry; names: readonly string[] }): JSX.Element | null {
  if ("moved" in entry) {
    return (
      <>
        {entry.moved.events.map((event, place) => (
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
