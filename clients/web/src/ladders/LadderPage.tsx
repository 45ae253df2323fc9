import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { GameList } from "../rankings/GameList.js";
import { Missing, RankingHeading } from "../rankings/RankingHeading.js";
import { useGameTitles } from "../rankings/useGameTitles.js";
import { ScreenTitle } from "../ScreenTitle.js";
import { ServerStatus } from "../ServerStatus.js";
import { PlayerNames } from "../text.js";
import { dateText } from "../texts/formats.js";
import { rich, t } from "../texts/texts.js";
import { activityOf, termsOf } from "./LadderList.js";
import { fragmentOf, type Shown, shownBy } from "./ladderText.js";
import { StandingsTable } from "./StandingsTable.js";
import { type LadderReading, useLadder } from "./useLadder.js";

const ROWS = 100;

/** One ladder: its standings, and what is played now. */
export function LadderPage({ name }: { name: string }): JSX.Element {
  const [shown, setShown] = useState(() => shownBy(location.hash));
  const [rows, setRows] = useState(ROWS);
  const reading = useLadder(name, shown.season, rows);
  const titleOf = useGameTitles();
  const show = (changed: Partial<Shown>): void => {
    const next = { ...shown, ...changed };
    history.replaceState(history.state, "", location.pathname + fragmentOf(next));
    setShown(next);
  };
  return (
    <main class="ranking">
      {reading ? <LadderHeading {...reading} title={titleOf(reading.ladder.game)} /> : <ScreenTitle text={reading === null ? t("ladder-none") : name} />}
      <ServerStatus />
      {reading === undefined && <p class="soft">{t("ladder-reading")}</p>}
      {reading === null && <Missing text={shown.season ? t("ladder-season-missing", { name, season: shown.season }) : t("ladder-missing", { name })} list={t("ladders-all")} href="/ladders" />}
      {reading && (
        <div class="ranking-parts">
          <section class="panel" aria-labelledby="standings">
            <div class="standings-head">
              <h2 id="standings">{t("rankings-standings")}</h2>
              <SeasonSelect reading={reading} onChoose={(season) => show({ season, open: "" })} />
            </div>
            <StandingsTable reading={reading} ladder={name} open={shown.open} onOpen={(open) => show({ open })} />
            {reading.hasMore && (
              <button class="button" onClick={() => setRows(reading.standings.length + ROWS)}>
                {t("rankings-show-more")}
              </button>
            )}
          </section>
          <Activity {...reading} />
        </div>
      )}
    </main>
  );
}

function LadderHeading({ ladder, title }: LadderReading & { title: string }): JSX.Element {
  return <RankingHeading game={ladder.game} title={t("rankings-terms", { game: title, players: ladder.seats })} terms={termsOf(ladder)} />;
}

function seasonText({ season, startTime, endTime }: api.LadderSeason): string {
  const start = dateText(startTime);
  return endTime ? t("ladder-season-past", { season, start, end: dateText(endTime) }) : t("ladder-season-now", { season, start });
}

interface SeasonSelectProps {
  reading: LadderReading;
  /** `season` 0: the present one. */
  onChoose: (season: number) => void;
}

function SeasonSelect({ reading: { ladder, season, results }, onChoose }: SeasonSelectProps): JSX.Element {
  return (
    <p class="season">
      <label>
        <span class="visually-hidden">{t("ladder-season")}</span>
        <select value={season} onChange={({ currentTarget }) => onChoose(currentTarget.selectedIndex && Number(currentTarget.value))}>
          {ladder.seasons.map((one) => (
            <option key={one.season} value={one.season}>
              {seasonText(one)}
            </option>
          ))}
        </select>
      </label>
      <span class="small soft">{t("rankings-finished", { count: results })}</span>
    </p>
  );
}

/** The games in play, the bots that wait, and the latest games. */
function Activity({ ladder, season, standings, games }: LadderReading): JSX.Element {
  const isPresent = ladder.seasons[0]?.season === season;
  const playing = games.filter(({ endTime }) => !endTime);
  const waiting = isPresent ? standings.filter((one) => one.waiting) : [];
  return (
    <div class="activity">
      {(isPresent || playing.length > 0) && (
        <section class="panel" aria-labelledby="now">
          <h2 id="now">{t("rankings-now")}</h2>
          <p class="small soft">{activityOf(ladder)}</p>
          {waiting.length > 0 && (
            <p>{rich("ladder-waits", { names: <PlayerNames names={waiting.map(({ displayName }) => displayName)} /> })}</p>
          )}
          <GameList games={playing} />
        </section>
      )}
      <section class="panel" aria-labelledby="latest">
        <h2 id="latest">{t("rankings-latest")}</h2>
        {playing.length === games.length && <p class="soft">{t("rankings-none-finished")}</p>}
        <GameList games={games.filter((one: api.LadderGame) => one.endTime)} />
      </section>
    </div>
  );
}
