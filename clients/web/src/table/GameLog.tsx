import type { api } from "skerry-client";
import { Component, type ComponentChildren, type JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { PlayerName, EventText } from "../text.js";
import { emoteText } from "./emotes.js";
import { type EntryContext, entryContexts } from "./entryContext.js";
import { type LogPoint, shownEntries } from "./playback.js";

interface GameLogProps {
  entries: readonly api.Entry[];
  names: readonly string[];
  /** The sequence of the entry that the replay shows. Absent: the newest. */
  at: number | undefined;
  /** How far the log is shown. Absent: to its end. */
  shown: LogPoint | undefined;
  /** Shown above the entries. */
  children?: ComponentChildren;
}

/** The log of the game as far as it is shown, newest entry first. The server provides the texts of events. */
export function GameLog({ entries, names, at, shown, children }: GameLogProps): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>("[aria-current]");
    // `scrollIntoView` would scroll the page too.
    if (list.current) list.current.scrollTop = current ? current.offsetTop - list.current.clientHeight / 2 : 0;
  }, [at]);
  const context = useMemo(() => entryContexts(entries, names), [entries, entries.length, names]);
  return (
    <div class="log">
      {children}
      <ol ref={list} reversed tabIndex={0} aria-label="Game log, newest first">
        {[...shownEntries(entries, shown)].reverse().map((entry) => (
          <LogLine key={entry.sequence} {...{ entry, names }} context={context.get(entry.sequence)} isCurrent={Number(entry.sequence) === at} />
        ))}
      </ol>
    </div>
  );
}

/** An entry in the list. It is rendered anew only if its text changes: a log has hundreds of them. */
class LogLine extends Component<LogEntryProps & { isCurrent: boolean }> {
  override shouldComponentUpdate({ entry, names, context, isCurrent }: Readonly<LogEntryProps & { isCurrent: boolean }>): boolean {
    const known = this.props;
    const isSame = known.context?.player === context?.player && known.context?.isInPlay === context?.isInPlay;
    return !isSame || known.entry !== entry || known.names !== names || known.isCurrent !== isCurrent;
  }

  override render({ isCurrent, ...entry }: LogEntryProps & { isCurrent: boolean }): JSX.Element {
    return (
      <li aria-current={isCurrent ? "step" : undefined}>
        <LogEntry {...entry} newestFirst />
      </li>
    );
  }
}

interface LogEntryProps {
  entry: api.Entry;
  names: readonly string[];
  context: EntryContext | undefined;
  newestFirst?: boolean;
}

/** The text of a log entry. Labels, webhooks and kinds that a newer server added have no text. */
export function LogEntry({ entry, names, context, newestFirst }: LogEntryProps): JSX.Element | null {
  if ("moved" in entry) {
    const { events } = entry.moved;
    return (
      <>
        {(newestFirst ? [...events].reverse() : events).map((event, place) => (
          <p key={place}>
            <EventText text={event.text} names={names} {...(event.template !== undefined && { template: event.template })} />
          </p>
        ))}
      </>
    );
  }
  const { player = "", isInPlay = true } = context ?? {};
  const name = <PlayerName name={player} />;
  if ("joined" in entry) return <p>{name} joins.</p>;
  if ("left" in entry) return <p>{name} leaves. {isInPlay ? "A bot takes over." : "The seat is open again."}</p>;
  if ("removed" in entry) return <p>The host removes {name}. The seat is open again.</p>;
  if ("started" in entry) return <p>The game starts.</p>;
  if ("away" in entry) return <p>{name} is away.</p>;
  if ("returned" in entry) return <p>{name} is back.</p>;
  if ("timedOut" in entry) return <TimedOut {...entry.timedOut} name={name} />;
  if ("resigned" in entry) return <p>{name} resigns.</p>;
  if ("undone" in entry) return <p>{name} takes back a move.</p>;
  if ("nudged" in entry) return <p>{name} is reminded that it is their turn.</p>;
  if ("emoted" in entry) return <p>{name}: {emoteText(entry.emoted.emote)}</p>;
  if ("seatOpened" in entry) return <p>The host opens the seat of {name} to others.</p>;
  if ("cancelled" in entry) return <p>{entry.cancelled.byOperator ? "The server operator" : "The host"} cancels the game.</p>;
  return "created" in entry ? <p>The table is created.</p> : null;
}

/** The consequence of a timeout. An action that a newer server added has no text. */
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
