import type { api } from "skerry-client";
import { Component, type ComponentChildren, type JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { PlayerName, EventText } from "../text.js";
import { emoteText } from "./emotes.js";
import { type EntryContext, entryContexts } from "./entryContext.js";
import { type LogPoint, shownEntries } from "./playback.js";
import { rich, t } from "../texts/texts.js";

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
      <ol ref={list} reversed tabIndex={0} aria-label={t("log")}>
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
  const text = describeEntry(entry, name, isInPlay);
  return text === undefined ? null : <p>{text}</p>;
}

function describeEntry(entry: api.Entry, name: JSX.Element, isInPlay: boolean): ComponentChildren {
  if ("joined" in entry) return rich("log-joined", { name });
  if ("left" in entry) return isInPlay ? rich("log-left", { name }) : rich("log-left-lobby", { name });
  if ("removed" in entry) return rich("log-removed", { name });
  if ("started" in entry) return t("log-started");
  if ("away" in entry) return rich("log-away", { name });
  if ("returned" in entry) return rich("log-returned", { name });
  if ("timedOut" in entry) return rich("log-timed-out", { name, cause: entry.timedOut.cause, action: entry.timedOut.action });
  if ("resigned" in entry) return rich("log-resigned", { name });
  if ("undone" in entry) return rich("log-undone", { name });
  if ("nudged" in entry) return rich("log-nudged", { name });
  if ("emoted" in entry) return rich("log-said", { name, text: emoteText(entry.emoted.emote) });
  if ("seatOpened" in entry) return rich("log-seat-opened", { name });
  if ("cancelled" in entry) return entry.cancelled.byOperator ? t("log-cancelled-by-operator") : t("log-cancelled");
  return "created" in entry ? t("log-created") : undefined;
}
