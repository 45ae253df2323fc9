import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
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

/** What this browser's player can do: enter, leave, or play the next game. */
export function EntryPanel(props: EntryPanelProps): JSX.Element | null {
  const { state, entrants, mostEntrants } = props.reading.tournament;
  const isOpen = state === "TOURNAMENT_STATE_OPEN";
  const { number, name: display, token } = storedEntry(props.name) ?? {};
  // The organizer can have removed it.
  if (token && display && entrants.some((one) => one.number === number)) {
    if (isOpen) return <Entered {...props} display={display} token={token} />;
    return props.reading.gamesPlaying || state === "TOURNAMENT_STATE_RUNNING" ? <NextGame {...props} isOut={hasLost(props.reading, number!)} /> : null;
  }
  return isOpen && entrants.length < mostEntrants ? <EntryForm {...props} /> : null;
}

/** Returns the join code from the link. It stands after the `#`, a part that browsers never send to a server. */
function linkedCode(): string {
  return new URLSearchParams(location.hash.slice(1)).get("code") ?? "";
}

function EntryForm({ name, onChange, reading: { tournament: { joinCodeRequired: asksCode } } }: EntryPanelProps): JSX.Element {
  const [display, setDisplay] = useState(lastPlayerName());
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
    <section class="panel entry" aria-labelledby="entry">
      <h2 id="entry">Enter</h2>
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
    </section>
  );
}

function Entered({ name, display, token, onChange }: EntryPanelProps & { display: string; token: string }): JSX.Element {
  const { refused, isBusy, attempt } = useAttempt();
  return (
    <section class="panel entry" aria-labelledby="entry">
      <h2 id="entry">Your entry</h2>
      <p role="status">
        You have entered as <bdi class="name">{display}</bdi>. Your games appear here when they begin, and their clocks run at once.
      </p>
      <button class="button" disabled={isBusy} onClick={() => attempt(() => leave(name, token).finally(onChange))}>
        Leave the tournament
      </button>
      <Refusal text={refused} />
    </section>
  );
}

const PAUSE_MS = 4_000;

function NextGame({ name, isOut, reading: { tournament } }: EntryPanelProps & { isOut: boolean }): JSX.Element {
  const games = usePolling((signal) => readOwnGames(name, tournament.game, signal), { pauseMs: PAUSE_MS });
  const next = games && [...games].sort((one, other) => Number(other.isMine) - Number(one.isMine));
  return (
    <section class="panel entry" aria-labelledby="entry">
      <h2 id="entry">Your next game</h2>
      <p role="status">{next && statusOf(next.length, isOut)}</p>
      <ul class="tables">
        {next?.map((one, at) => (
          <NextGameItem key={one.session} game={one} isFirst={!at} />
        ))}
      </ul>
    </section>
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
