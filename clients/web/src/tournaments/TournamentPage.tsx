import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { GameList } from "../rankings/GameList.js";
import { Missing, RankingHeading } from "../rankings/RankingHeading.js";
import { useGameTitles } from "../rankings/useGameTitles.js";
import { ScreenTitle } from "../ScreenTitle.js";
import { ServerStatus } from "../ServerStatus.js";
import { PlayerNames } from "../text.js";
import { messageId, rich, t } from "../texts/texts.js";
import { BracketView } from "./BracketView.js";
import { EntrantTable } from "./EntrantTable.js";
import { EntryPanel } from "./EntryPanel.js";
import { storedEntry } from "./storedEntry.js";
import { stateText, termsOf, winnersOf } from "./tournamentText.js";
import { type TournamentReading, useTournament } from "./useTournament.js";

/** One tournament: its entrants, their standings, the bracket, and the games. `name`: its id. */
export function TournamentPage({ name }: { name: string }): JSX.Element {
  const [version, setVersion] = useState(0);
  const reading = useTournament(name, version);
  const titleOf = useGameTitles();
  const own = storedEntry(name)?.number;
  return (
    <main class="ranking tournament">
      {reading ? (
        <RankingHeading game={reading.tournament.game} title={reading.tournament.title} terms={termsOf(reading.tournament, titleOf(reading.tournament.game))} />
      ) : (
        <ScreenTitle text={reading === null ? t("tournament-none") : t("tournament")} />
      )}
      <ServerStatus />
      {reading === undefined && <p class="soft">{t("tournament-reading")}</p>}
      {reading === null && <Missing text={t("tournament-missing", { name })} list={t("tournaments-all")} href="/tournaments" />}
      {reading && (
        <>
          <State {...reading} />
          <EntryPanel name={name} reading={reading} onChange={() => setVersion(version + 1)} />
          {(reading.rounds.length > 0 || reading.currentRound) && (
            <section class="panel">
              <BracketView reading={reading} own={own} />
            </section>
          )}
          <div class="ranking-parts">
            <section class="panel" aria-labelledby="standings">
              <h2 id="standings">{reading.tournament.beginTime ? t("rankings-standings") : t("tournament-entrants")}</h2>
              <EntrantTable reading={reading} own={own} />
            </section>
            {reading.tournament.beginTime && <Games {...reading} />}
          </div>
        </>
      )}
    </main>
  );
}

const STATES: Readonly<Partial<Record<api.TournamentState, string>>> = {
  TOURNAMENT_STATE_OPEN: messageId("tournaments-open"),
  TOURNAMENT_STATE_RUNNING: messageId("tournaments-running"),
};

/** What the tournament waits for, or how it ended. */
function State(reading: TournamentReading): JSX.Element {
  const winners = winnersOf(reading);
  const state = STATES[reading.tournament.state];
  const finished = reading.tournament.beginTime && t("rankings-finished", { count: reading.gamesFinished });
  return (
    <div class="tournament-state">
      <div role="status">
        {winners.length > 0 && (
          <p class="champion">
            {rich("tournament-won", { names: <PlayerNames names={winners} />, count: winners.length })}
          </p>
        )}
      </div>
      <p class="soft">
        {[state && t(state), stateText(reading.tournament), finished].filter(Boolean).join(" · ")}
      </p>
      {reading.tournament.reason && <p>{reading.tournament.reason}</p>}
    </div>
  );
}

/** The most finished games that are listed. */
const LATEST = 12;

/** The games in play, and the latest ones. Many games in play leave no room for the latest. */
function Games({ games, gamesPlaying, gamesFinished }: TournamentReading): JSX.Element {
  const playing = games.filter(({ endTime }) => !endTime);
  const finished = games.filter(({ endTime }) => endTime).slice(0, LATEST);
  return (
    <div class="activity">
      {gamesPlaying > 0 && (
        <section class="panel" aria-labelledby="now">
          <h2 id="now">{t("rankings-now")}</h2>
          <p class="small soft">{t("rankings-playing", { count: gamesPlaying })}</p>
          <GameList games={playing} />
        </section>
      )}
      {(finished.length > 0 || !gamesFinished) && (
        <section class="panel" aria-labelledby="latest">
          <h2 id="latest">{t("rankings-latest")}</h2>
          {!finished.length && <p class="soft">{t("rankings-none-finished")}</p>}
          <GameList games={finished} />
        </section>
      )}
    </div>
  );
}
