import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { usePolling } from "../polling.js";
import { Refusal } from "../Refusal.js";
import { dateText } from "../texts/formats.js";
import { t } from "../texts/texts.js";
import { Panel, Table } from "./factTables.js";
import { call, sentenceOf } from "./operatorApi.js";
import type { CompetitionOverview, LadderStatus, TournamentStatus } from "./operatorTypes.js";
import { ageOf, decimal, idOf } from "./operatorWords.js";

/** The server reads much for it. */
const PAUSE_MS = 15_000;

/** Ladders, tournaments and bots that rest, read again while the page is visible. */
export function Competitions(): JSX.Element {
  const [refusal, setRefusal] = useState("");
  const found = usePolling(
    async (signal) => {
      try {
        const answer = await call<CompetitionOverview>("GetCompetitions", {}, signal);
        setRefusal("");
        return answer;
      } catch (error) {
        if (!signal.aborted) setRefusal(sentenceOf(error));
        throw error;
      }
    },
    { pauseMs: PAUSE_MS },
  );
  return (
    <section aria-labelledby="title">
      <h1 id="title" tabIndex={-1}>
        {t("op-competitions")}
      </h1>
      <Refusal text={refusal} />
      {found && <Panels {...found} />}
    </section>
  );
}

function Panels({ ladders, tournaments, moreTournaments, resting }: CompetitionOverview): JSX.Element {
  return (
    <div class="columns">
      <Panel title={t("op-ladders")} wide>
        <Table
          name={t("op-ladders")}
          none={t("op-no-ladders")}
          head={[t("op-ladder"), t("op-state"), t("op-game"), t("op-season"), `#${t("op-playing")}`, `#${t("op-waiting-bots")}`, `#${t("op-results")}`, `#${t("op-entrants")}`, t("op-leaders")]}
          rows={ladders.map(ladderRow)}
        />
      </Panel>
      <Panel title={t("op-resting")} wide>
        <Table
          name={t("op-resting")}
          none={t("op-none-rests")}
          head={[t("op-bot"), t("op-ladder"), t("op-rests-since"), t("op-reason"), t("op-last-game"), t("op-key-title"), t("op-contact")]}
          rows={resting.map(({ bot, ladder, rest, key, contact }) => [
            idOf(bot),
            idOf(ladder),
            t("op-ago", { time: ageOf(rest.time) }),
            rest.reason,
            <a href={`#${rest.session}`}>{idOf(rest.session)}</a>,
            key,
            contact || "–",
          ])}
        />
        <p class="soft small">{t("op-rest-until")}</p>
      </Panel>
      <Panel title={t("op-tournaments")} wide>
        <Table
          name={t("op-tournaments")}
          none={t("op-no-tournaments")}
          head={[t("op-tournament"), t("op-tournament-id"), t("op-state"), t("op-game"), `#${t("op-playing")}`, `#${t("op-results")}`, `#${t("op-entrants")}`, t("op-leaders")]}
          rows={tournaments.map(tournamentRow)}
        />
        {moreTournaments && <p class="soft small">{t("op-more-tournaments")}</p>}
      </Panel>
    </div>
  );
}

function ladderRow({ ladder, leaders, entrants, games }: LadderStatus): string[] {
  const state = t("op-ladder-state", { state: ladder.state });
  const isOfPeople = ladder.kind === "LADDER_KIND_PEOPLE";
  return [
    idOf(ladder.name),
    state,
    t("op-game-seats", { game: ladder.game, seats: ladder.seats }),
    String(ladder.seasons[0]?.season ?? "–"),
    String(ladder.playing),
    isOfPeople ? "–" : String(ladder.waiting),
    games,
    String(entrants),
    leaders.map(({ displayName, rating }) => (rating ? `${displayName} ${Math.round(rating.value)}` : displayName)).join(", ") || "–",
  ];
}

function tournamentRow({ tournament, leaders, gamesFinished, gamesPlaying }: TournamentStatus): string[] {
  const { name, title, state, startTime, game, seats, entrants, mostEntrants } = tournament;
  const starts = state === "TOURNAMENT_STATE_OPEN" && startTime;
  return [
    title,
    idOf(name),
    starts ? t("op-starts", { time: dateText(startTime, { dateStyle: "short", timeStyle: "short" }) }) : t("op-tournament-state", { state }),
    t("op-game-seats", { game, seats }),
    String(gamesPlaying),
    String(gamesFinished),
    state === "TOURNAMENT_STATE_OPEN" ? t("op-count-of", { count: entrants.length, all: mostEntrants }) : String(entrants.length),
    (gamesFinished > 0 && leaders.map(({ displayName, points }) => `${displayName} ${decimal(points)}`).join(", ")) || "–",
  ];
}
