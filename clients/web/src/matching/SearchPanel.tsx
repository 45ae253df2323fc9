import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { defaultLevel } from "../LevelSelect.js";
import { Emblem } from "../Emblem.js";
import { createTable } from "../session/tableActions.js";
import { useAttempt } from "../useAttempt.js";
import type { SearchSetup } from "../storage.js";
import { Countdown, Stopwatch } from "../Countdown.js";
import { dismissSearch, type Progress, type Search, startSearch, stopSearch, useMatchSearch } from "./matchSearch.js";
import { describeSetup, others } from "./words.js";
import { rich, t } from "../texts/texts.js";
import { Refusal } from "../Refusal.js";

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
        {isOver ? t("search-ended") : t("search-running")}
      </h2>
      <div class="row middle">
        <Emblem game={game.id} />
        <div class="grow">
          <strong>{describeSetup(search.setup)}</strong>
          <p role="status">{search.isOffline ? t("search-offline") : describeSearch(search)}</p>
          {search.progress.state === "waiting" && <Waited since={search.since} progress={search.progress} />}
        </div>
      </div>
      {isOver ? <AfterSearch {...{ search, game }} /> : <Meanwhile {...{ search, game }} />}
    </section>
  );
}

/** Returns how the search stands, in a sentence. */
function describeSearch({ progress, setup, wasDeclined }: Search): string {
  if (progress.state === "ended") return progress.refused ?? t(progress.why!);
  if (progress.state !== "waiting") return t("search-found");
  const standing = describeWaiting(progress, setup.seats);
  return wasDeclined ? t("search-declined", { standing }) : standing;
}

function describeWaiting({ otherPlayers, heldUntil }: Extract<Progress, { state: "waiting" }>, seats: number): string {
  if (heldUntil !== undefined) return t("search-held");
  if (otherPlayers === undefined) return t("search-asking");
  if (!otherPlayers) return t("search-alone");
  return t("search-others", { others: otherPlayers, left: Math.max(0, seats - 1 - otherPlayers) });
}

function Waited({ since, progress: { heldUntil } }: { since: number; progress: Extract<Progress, { state: "waiting" }> }): JSX.Element {
  return (
    <p class="soft small">
      {rich("search-waited", { time: <Stopwatch since={since} /> })}{" "}
      {heldUntil !== undefined && rich("search-next", { time: <Countdown until={heldUntil} /> })} {t("search-keep-tab")}
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
          {t("search-bots-meanwhile", { bots: setup.seats - 1 })}
        </button>
        <button class="button" disabled={isBusy} onClick={() => attempt(openTable)}>
          {t("search-open-table")}
        </button>
        <button class="button" onClick={stopSearch}>
          {t("search-stop")}
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
          {rich("search-retry-in", { time: <Countdown until={retryAt} /> })}
        </p>
      )}
      <div class="row">
        <button class="button now" onClick={() => startSearch(setup)}>
          {t("search-again")}
        </button>
        <button class="button" disabled={isBusy} onClick={() => attempt(playBots)}>
          {t("search-bots", { bots: setup.seats - 1 })}
        </button>
        <button class="button" onClick={dismissSearch}>
          {t("search-close")}
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
