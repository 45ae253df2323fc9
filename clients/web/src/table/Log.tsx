import type { api } from "skerry-client";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Name, Sentence } from "../words.js";
import { type Circumstances, circumstancesOf } from "./people.js";

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
  const circumstances = circumstancesOf(entries, names);
  return (
    <details class="panel log" open={matchMedia("(min-width: 64em)").matches}>
      <summary>
        <h2>Game log</h2>
      </summary>
      {children}
      <ol ref={list} reversed tabIndex={0} aria-label="Game log, newest first">
        {[...entries].reverse().map((entry) => (
          <li key={entry.sequence} aria-current={Number(entry.sequence) === at ? "step" : undefined}>
            <Told entry={entry} names={names} circumstances={circumstances.get(entry.sequence)} newestFirst />
          </li>
        ))}
      </ol>
    </details>
  );
}

interface ToldProps {
  entry: api.Entry;
  names: readonly string[];
  circumstances: Circumstances | undefined;
  newestFirst?: boolean;
}

/** What one entry of the log tells. A kind of a newer server is passed over, and so are labels, which are not for people. */
export function Told({ entry, names, circumstances, newestFirst }: ToldProps): JSX.Element | null {
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
  const { who = "", isInPlay = true } = circumstances ?? {};
  const name = <Name name={who} />;
  if ("joined" in entry) return <p>{name} joins.</p>;
  if ("left" in entry) return <p>{name} leaves. {isInPlay ? "A bot takes over." : "The seat is open again."}</p>;
  if ("removed" in entry) return <p>The host removes {name}. The seat is open again.</p>;
  if ("started" in entry) return <p>The game starts.</p>;
  if ("away" in entry) return <p>{name} is away.</p>;
  if ("returned" in entry) return <p>{name} is back.</p>;
  if ("timedOut" in entry) return <TimedOut {...entry.timedOut} name={name} />;
  if ("resigned" in entry) return <p>{name} resigns.</p>;
  if ("nudged" in entry) return <p>{name} is reminded that it is their turn.</p>;
  if ("seatOpened" in entry) return <p>The host opens the seat of {name} to others.</p>;
  if ("cancelled" in entry) return <p>{entry.cancelled.byOperator ? "The server operator" : "The host"} cancels the game.</p>;
  return "created" in entry ? <p>The table is created.</p> : null;
}

/** What follows when a player does nothing for too long. What a newer server does then is not told. */
const FOLLOWS: Readonly<Partial<Record<api.TimeoutAction, string>>> = {
  TIMEOUT_ACTION_SUBSTITUTE: " A bot takes over.",
  TIMEOUT_ACTION_MOVE: " A random move is played.",
  TIMEOUT_ACTION_END: " The game ends.",
};

function TimedOut({ cause, action, name }: api.TimedOut & { name: JSX.Element }): JSX.Element {
  const isLate = cause === "SUBSTITUTE_CAUSE_OUT_OF_TIME";
  return (
    <p>
      {name} {isLate ? "ran out of time." : "was away for too long."}
      {FOLLOWS[action]}
    </p>
  );
}
