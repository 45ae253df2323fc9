import type { api } from "skerry-client";
import { listTournaments } from "skerry-client/tournaments";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Emblem } from "../Emblem.js";
import { usePolling } from "../polling.js";
import { useGameTitles } from "../rankings/useGameTitles.js";
import { followLink } from "../router.js";
import { ScreenTitle } from "../ScreenTitle.js";
import { client } from "../server.js";
import { ServerStatus } from "../ServerStatus.js";
import { stateText, termsOf } from "./tournamentText.js";

const PAUSE_MS = 15_000;
const PAGE = 100;

/** All tournaments of the server. */
export function TournamentList(): JSX.Element {
  const [rows, setRows] = useState(PAGE);
  const found = usePolling((signal) => readTournaments(rows, signal), { key: rows, pauseMs: PAUSE_MS });
  const titleOf = useGameTitles();
  const inState = (...states: api.TournamentState[]): api.Tournament[] => found?.tournaments.filter(({ state }) => states.includes(state)) ?? [];
  const open = inState("TOURNAMENT_STATE_OPEN");
  return (
    <main class="ranking-list">
      <ScreenTitle text="Tournaments" />
      <p class="lead">Cups of bots and people. Enter one, watch its games, and replay every one.</p>
      <ServerStatus />
      {found && (
        <>
          <Tournaments title="Open for entry" tournaments={open} titleOf={titleOf} />
          {!open.length && <p class="soft">No tournament is open for entry now.</p>}
          <Tournaments title="Running" tournaments={inState("TOURNAMENT_STATE_RUNNING")} titleOf={titleOf} />
          <Tournaments title="Ended" tournaments={inState("TOURNAMENT_STATE_FINISHED", "TOURNAMENT_STATE_CANCELLED")} titleOf={titleOf} />
          {found.hasMore && (
            <button class="button" onClick={() => setRows(rows + PAGE)}>
              Show more
            </button>
          )}
        </>
      )}
    </main>
  );
}

interface TournamentsProps {
  title: string;
  tournaments: readonly api.Tournament[];
  titleOf: (game: string) => string;
}

function Tournaments({ title, tournaments, titleOf }: TournamentsProps): JSX.Element | null {
  if (!tournaments.length) return null;
  return (
    <section class="panel" aria-label={title}>
      <h2>{title}</h2>
      <ul class="tables">
        {tournaments.map((one) => (
          <li key={one.name}>
            <Emblem game={one.game} />
            <div>
              <a class="ranking-link" href={`/${one.name}`} onClick={followLink}>
                <bdi>{one.title}</bdi>
              </a>
              <span class="small soft block">{termsOf(one, titleOf(one.game))}</span>
              <span class="small block">{stateText(one)}</span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

async function readTournaments(rows: number, signal: AbortSignal): Promise<{ tournaments: api.Tournament[]; hasMore: boolean }> {
  const tournaments: api.Tournament[] = [];
  for (let pageToken = ""; ; ) {
    const page = await listTournaments(client, { pageSize: PAGE, pageToken: pageToken || undefined, signal });
    tournaments.push(...page.tournaments);
    pageToken = page.nextPageToken;
    if (!pageToken || tournaments.length >= rows) return { tournaments, hasMore: pageToken !== "" };
  }
}
