import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { GameList } from "../rankings/GameList.js";
import { Missing, RankingHeading } from "../rankings/RankingHeading.js";
import { useGameTitles } from "../rankings/useGameTitles.js";
import { ScreenTitle } from "../ScreenTitle.js";
import { ServerStatus } from "../ServerStatus.js";
import { counted, PlayerNames } from "../text.js";
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
        <ScreenTitle text={reading === null ? "Tournament not found" : "Tournament"} />
      )}
      <ServerStatus />
      {reading === undefined && <p class="soft">Reading the tournament …</p>}
      {reading === null && <Missing text={`The tournament “${name}” does not exist.`} list="All tournaments" href="/tournaments" />}
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
              <h2 id="standings">{reading.tournament.beginTime ? "Standings" : "Entrants"}</h2>
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
  TOURNAMENT_STATE_OPEN: "Open for entry · ",
  TOURNAMENT_STATE_RUNNING: "Running · ",
};

/** What the tournament waits for, or how it ended. */
function State(reading: TournamentReading): JSX.Element {
  const winners = winnersOf(reading);
  return (
    <div class="tournament-state">
      <div role="status">
        {winners.length > 0 && (
          <p class="champion">
            <PlayerNames names={winners} /> {winners.length > 1 ? "share the first place" : "wins the tournament"}
          </p>
        )}
      </div>
      <p class="soft">
        {STATES[reading.tournament.state]}
        {stateText(reading.tournament)}
        {reading.tournament.beginTime && ` · ${counted(reading.gamesFinished, "finished game")}`}
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
          <h2 id="now">Now</h2>
          <p class="small soft">{counted(gamesPlaying, "game")} in play</p>
          <GameList games={playing} />
        </section>
      )}
      {(finished.length > 0 || !gamesFinished) && (
        <section class="panel" aria-labelledby="latest">
          <h2 id="latest">Latest games</h2>
          {!finished.length && <p class="soft">No finished games yet.</p>}
          <GameList games={finished} />
        </section>
      )}
    </div>
  );
}
