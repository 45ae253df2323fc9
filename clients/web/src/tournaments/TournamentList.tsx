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
import { useAttempt } from "../useAttempt.js";
import { stateText, termsOf } from "./tournamentText.js";
import { t } from "../texts/texts.js";
import { Refusal } from "../Refusal.js";

const PAUSE_MS = 15_000;
const PAGE = 100;

/** All tournaments of the server. */
export function TournamentList(): JSX.Element {
  const first = usePolling((signal) => listTournaments(client, { pageSize: PAGE, signal }), { pauseMs: PAUSE_MS });
  const [more, setMore] = useState<api.ListTournamentsResponse>();
  const { refused, isBusy, attempt } = useAttempt();
  const titleOf = useGameTitles();
  const shown = joined(first?.tournaments ?? [], more?.tournaments ?? []);
  const pageToken = (more ?? first)?.nextPageToken;
  const showMore = async (): Promise<void> => {
    const next = await listTournaments(client, { pageSize: PAGE, pageToken });
    setMore({ ...next, tournaments: joined(shown, next.tournaments) });
  };
  const inState = (...states: api.TournamentState[]): api.Tournament[] => shown.filter(({ state }) => states.includes(state));
  const open = inState("TOURNAMENT_STATE_OPEN");
  return (
    <main class="ranking-list">
      <ScreenTitle text={t("page-tournaments")} />
      <p class="lead">{t("tournaments-lead")}</p>
      <ServerStatus />
      {first && (
        <>
          <Tournaments title={t("tournaments-open")} tournaments={open} titleOf={titleOf} />
          {!open.length && <p class="soft">{t("tournaments-none-open")}</p>}
          <Tournaments title={t("tournaments-running")} tournaments={inState("TOURNAMENT_STATE_RUNNING")} titleOf={titleOf} />
          <Tournaments title={t("tournaments-ended")} tournaments={inState("TOURNAMENT_STATE_FINISHED", "TOURNAMENT_STATE_CANCELLED")} titleOf={titleOf} />
          {pageToken && (
            <button class="button" disabled={isBusy} onClick={() => attempt(showMore)}>
              {t("rankings-show-more")}
            </button>
          )}
          <Refusal text={refused} />
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

/** Joins two lists. A tournament in both is as in the first, the newer one. */
function joined(newer: readonly api.Tournament[], older: readonly api.Tournament[]): api.Tournament[] {
  const names = new Set(newer.map(({ name }) => name));
  return [...newer, ...older.filter(({ name }) => !names.has(name))];
}
