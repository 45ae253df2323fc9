import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { defaultLevel } from "../LevelSelect.js";
import { Emblem } from "../Emblem.js";
import { createTable } from "../session/tableActions.js";
import { useAttempt } from "../useAttempt.js";
import type { SearchSetup } from "../storage.js";
import { Countdown, Stopwatch } from "./Countdown.js";
import { dismissSearch, type Progress, type Search, startSearch, stopSearch, useMatchSearch } from "./matchSearch.js";
import { describeSetup, others } from "./words.js";

/** The search for opponents, in the lobby: how it stands, and what to do meanwhile. */
export function SearchPanel({ games }: { games: readonly api.Game[] }): JSX.Element | null {
  const search = useMatchSearch();
  if (!search) return null;
  const game = games.find(({ id }) => id === search.setup.game);
  return game ? <Panel key={search.since} {...{ search, game }} /> : null;
}

interface PanelProps {
  search: Search;
  game: api.Game;
}

function Panel({ search, game }: PanelProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that started the search is gone: its user continues here.
  useEffect(() => {
    if (document.activeElement === document.body && Date.now() - search.since < 1000) heading.current?.focus();
  }, []);
  const isOver = search.progress.state === "ended";
  return (
    <section class="panel search" aria-labelledby="search">
      <h2 id="search" ref={heading} tabIndex={-1}>
        {isOver ? "Search ended" : "Looking for opponents"}
      </h2>
      <div class="row middle">
        <Emblem game={game.id} />
        <div class="grow">
          <strong>{describeSetup(search.setup)}</strong>
          <p role="status">{search.isOffline ? "The connection is lost. Trying again …" : <Standing {...search} />}</p>
          {search.progress.state === "waiting" && <Waited since={search.since} progress={search.progress} />}
        </div>
      </div>
      {isOver ? <AfterSearch {...{ search, game }} /> : <Meanwhile {...{ search, game }} />}
    </section>
  );
}

/** How the search stands, in a sentence. */
function Standing({ progress, setup, wasDeclined }: Search): JSX.Element {
  if (progress.state === "ended") return <>{progress.text}</>;
  if (progress.state !== "waiting") return <>A match is found.</>;
  return (
    <>
      {wasDeclined && "Another player did not accept, so the search goes on. You keep your place. "}
      {describeWaiting(progress, setup.seats)}
    </>
  );
}

function describeWaiting({ otherPlayers, heldUntil }: Extract<Progress, { state: "waiting" }>, seats: number): string {
  if (heldUntil !== undefined) return "You did not accept an earlier match, so you wait before the next one.";
  if (otherPlayers === undefined) return "Asking who else is looking …";
  if (!otherPlayers) return "Nobody else is looking for such a table right now. You can play something else while you wait.";
  const left = seats - 1 - otherPlayers;
  const looking = otherPlayers === 1 ? "1 other player is looking" : `${otherPlayers} other players are looking`;
  return left > 0 ? `${looking} for such a table. ${left} more ${left === 1 ? "is" : "are"} needed.` : `${looking} for such a table.`;
}

function Waited({ since, progress: { heldUntil } }: { since: number; progress: Extract<Progress, { state: "waiting" }> }): JSX.Element {
  return (
    <p class="soft small">
      You have waited <Stopwatch since={since} />.
      {heldUntil !== undefined && (
        <>
          {" "}
          The next match can come in <Countdown until={heldUntil} />.
        </>
      )}{" "}
      Keep this tab open: it rings when a match is found.
    </p>
  );
}

/** What the player can do while the search goes on, or instead. */
function Meanwhile({ search: { setup }, game }: PanelProps): JSX.Element {
  const { refused, attempt, isBusy } = useAttempt();
  const playBots = (): Promise<void> => createTable(botTable(setup, game), setup.name);
  const openTable = async (): Promise<void> => {
    stopSearch(); // before the table exists, or the search could find it
    try {
      await createTable({ ...setup, bots: {}, isListed: true, hasCode: false, hasUndo: true }, setup.name);
    } catch (error) {
      startSearch(setup);
      throw error;
    }
  };
  return (
    <>
      <div class="row">
        <button class="button" disabled={isBusy} onClick={() => attempt(playBots)}>
          Play {setup.seats === 2 ? "a bot" : "bots"} meanwhile
        </button>
        <button class="button" disabled={isBusy} onClick={() => attempt(openTable)}>
          Open a table instead
        </button>
        <button class="button" onClick={stopSearch}>
          Stop looking
        </button>
      </div>
      <Refusal text={refused} />
    </>
  );
}

/** What the player can do after a search that found nothing. */
function AfterSearch({ search: { setup, progress }, game }: PanelProps): JSX.Element {
  const { refused, attempt, isBusy } = useAttempt();
  const playBots = async (): Promise<void> => {
    await createTable(botTable(setup, game), setup.name);
    dismissSearch();
  };
  const retryAt = progress.state === "ended" ? progress.retryAt : undefined;
  return (
    <>
      {retryAt !== undefined && (
        <p class="soft small">
          You can search again in <Countdown until={retryAt} />.
        </p>
      )}
      <div class="row">
        <button class="button now" onClick={() => startSearch(setup)}>
          Search again
        </button>
        <button class="button" disabled={isBusy} onClick={() => attempt(playBots)}>
          Play {setup.seats === 2 ? "a bot" : "bots"}
        </button>
        <button class="button" onClick={dismissSearch}>
          Close
        </button>
      </div>
      <Refusal text={refused} />
    </>
  );
}

/** Returns the setup of an unlisted table against bots alone, with the game and the options of the search. */
function botTable({ game, seats, options }: SearchSetup, { levels }: api.Game): Parameters<typeof createTable>[0] {
  const bots = Object.fromEntries(others(seats).map((seat) => [seat, defaultLevel(levels)]));
  return { game, seats, options, bots, hints: levels.length > 1, isListed: false, hasCode: false, hasUndo: true };
}

function Refusal({ text }: { text: string }): JSX.Element | null {
  return text ? (
    <p class="refusal" role="alert">
      {text}
    </p>
  ) : null;
}
