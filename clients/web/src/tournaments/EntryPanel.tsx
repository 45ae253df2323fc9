import type { api } from "skerry-client";
import type { JSX, RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { usePolling } from "../polling.js";
import { followLink } from "../router.js";
import { lastPlayerName } from "../storage.js";
import { PlayerNames } from "../text.js";
import { useAttempt } from "../useAttempt.js";
import { hasLost } from "./bracket.js";
import { enter, leave, type OwnGame, readOwnGames } from "./entry.js";
import { storedEntry } from "./storedEntry.js";

interface EntryPanelProps {
  reading: api.GetTournamentResponse;
  /** The id of the tournament. */
  name: string;
  onChange: () => void;
}

const PAUSE_MS = 4_000;
const HEADINGS = { form: "Enter", entered: "Your entry", playing: "Your next game" };

/** What this browser's player can do: enter, leave, or play the next game. */
export function EntryPanel(props: EntryPanelProps): JSX.Element | null {
  const { name, reading } = props;
  const part = partOf(props);
  const isPlaying = part === "playing";
  const readGames = async (signal: AbortSignal): Promise<OwnGame[] | undefined> =>
    isPlaying ? readOwnGames(name, reading.tournament.game, signal) : undefined;
  const games = usePolling(readGames, { key: isPlaying, pauseMs: PAUSE_MS, isDone: () => !isPlaying });
  const { section, heading, isActing } = useFocusOnHeading(part);
  const onChange = (): void => {
    isActing.current = true;
    props.onChange();
  };
  if (!part) return null;
  const { name: display = "", number = 0, token = "" } = storedEntry(name) ?? {};
  return (
    <section ref={section} class="panel entry" aria-labelledby="entry">
      <h2 id="entry" ref={heading} tabIndex={-1}>
        {HEADINGS[part]}
      </h2>
      <div role="status">
        {part === "entered" && (
          <p>
            You have entered as <bdi class="name">{display}</bdi>. Your games appear here when they begin, and their clocks run at once.
          </p>
        )}
        {isPlaying && games && <p>{statusOf(games.length, hasLost(reading, number))}</p>}
      </div>
      {part === "form" && <EntryForm {...props} onChange={onChange} />}
      {part === "entered" && <LeaveButton {...{ name, token, onChange }} />}
      {isPlaying && <NextGames games={games ?? []} />}
    </section>
  );
}

/** Returns what the panel shows. `undefined`: nothing. */
function partOf({ name, reading: { tournament, gamesPlaying } }: EntryPanelProps): keyof typeof HEADINGS | undefined {
  const { state, entrants, mostEntrants } = tournament;
  const isOpen = state === "TOURNAMENT_STATE_OPEN";
  const { number, token } = storedEntry(name) ?? {};
  // The organizer can have removed it.
  if (!token || !entrants.some((one) => one.number === number)) return isOpen && entrants.length < mostEntrants ? "form" : undefined;
  if (isOpen) return "entered";
  return gamesPlaying || state === "TOURNAMENT_STATE_RUNNING" ? "playing" : undefined;
}

interface FocusedHeading {
  section: RefObject<HTMLElement | null>;
  heading: RefObject<HTMLHeadingElement | null>;
  /** Whether a button of the panel was used. A disabled button has lost the focus already. */
  isActing: { current: boolean };
}

/** Moves the focus to the heading when the element of the panel that had it disappears with its part. */
function useFocusOnHeading(part: string | undefined): FocusedHeading {
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const isActing = useRef(false);
  const hadFocus = section.current?.contains(document.activeElement);
  useLayoutEffect(() => {
    if ((hadFocus || isActing.current) && document.activeElement === document.body) heading.current?.focus();
    isActing.current = false;
  }, [part]);
  return { section, heading, isActing };
}

/** Returns the join code from the link. It stands after the `#`, a part that browsers never send to a server. */
function linkedCode(): string {
  return new URLSearchParams(location.hash.slice(1)).get("code") ?? "";
}

function EntryForm({ name, onChange, reading: { tournament: { joinCodeRequired: asksCode } } }: EntryPanelProps): JSX.Element {
  const [display, setDisplay] = useState(storedEntry(name)?.name ?? lastPlayerName());
  const [code, setCode] = useState(linkedCode());
  const { refused, isBusy, attempt } = useAttempt();
  const submit = (event: Event): void => {
    event.preventDefault();
    attempt(async () => {
      await enter(name, display.trim(), asksCode ? code : undefined);
      onChange();
    });
  };
  return (
    <>
      <form class="sit" onSubmit={submit}>
        <label>
          Your name
          <input value={display} maxLength={80} autocomplete="nickname" required onInput={(event) => setDisplay(event.currentTarget.value)} />
        </label>
        {asksCode && (
          <label>
            Join code
            <input class="code" value={code} maxLength={16} autocomplete="off" autocapitalize="characters" required onInput={(event) => setCode(event.currentTarget.value)} />
          </label>
        )}
        <button class="button now" disabled={isBusy || !display.trim() || (asksCode && !code.trim())}>
          Enter
        </button>
        <Refusal text={refused} />
      </form>
      <p class="small soft">Your games begin by themselves, and their clocks run at once. Find them here.</p>
    </>
  );
}

function LeaveButton({ name, token, onChange }: { name: string; token: string; onChange: () => void }): JSX.Element {
  const { refused, isBusy, attempt } = useAttempt();
  return (
    <>
      <button class="button" disabled={isBusy} onClick={() => attempt(() => leave(name, token).finally(onChange))}>
        Leave the tournament
      </button>
      <Refusal text={refused} />
    </>
  );
}

/** Games in which it is the player's turn come first. */
function NextGames({ games }: { games: readonly OwnGame[] }): JSX.Element {
  const next = [...games].sort((one, other) => Number(other.isMine) - Number(one.isMine));
  return (
    <ul class="tables">
      {next.map((one, at) => (
        <NextGameItem key={one.session} game={one} isFirst={!at} />
      ))}
    </ul>
  );
}

function statusOf(playing: number, isOut: boolean): string {
  if (playing) return `${playing > 1 ? "Your games are" : "Your game is"} in play. The clock runs.`;
  return isOut ? "You have lost your table and are out of the tournament." : "No game for you now. The next one appears here when it begins.";
}

function NextGameItem({ game: { session, opponents, isMine }, isFirst }: { game: OwnGame; isFirst: boolean }): JSX.Element {
  return (
    <li>
      <div>
        Against <PlayerNames names={opponents} />
        {isMine && <span class="small turn"> your turn</span>}
      </div>
      <a class={isFirst ? "button now" : "button"} href={`/${session}`} onClick={followLink} aria-label={`Play against ${opponents.join(" and ")}`}>
        Play
      </a>
    </li>
  );
}

function Refusal({ text }: { text: string }): JSX.Element | null {
  return text ? (
    <p class="refusal" role="alert">
      {text}
    </p>
  ) : null;
}
