import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useKeptFocus } from "../rankings/useKeptFocus.js";
import { idOf } from "../rankings/rankingText.js";
import { t } from "../texts/texts.js";
import { percentage } from "./tournamentText.js";

interface EntrantTableProps {
  reading: api.GetTournamentResponse;
  /** The number of this browser's entrant. */
  own: number | undefined;
}

/** The entrants: their standings, or their names before the start. */
export function EntrantTable({ reading: { tournament, standings }, own }: EntrantTableProps): JSX.Element {
  useKeptFocus();
  const hasBegun = tournament.beginTime !== undefined;
  const isKnockout = tournament.format === "TOURNAMENT_FORMAT_KNOCKOUT";
  const hasResults = hasBegun && !isKnockout;
  const bots = new Map(tournament.entrants.map(({ number, bot }) => [number, bot && idOf(bot)]));
  if (!standings.length) return <p class="soft">{t("entrants-none")}</p>;
  return (
    <>
      <table class="standings figures">
        <thead class={hasBegun ? "" : "visually-hidden"}>
          <tr>
            {hasBegun && (
              <th scope="col">
                <span class="visually-hidden">{t("entrants-place")}</span>
              </th>
            )}
            <th scope="col">{t("entrants-name")}</th>
            {hasBegun && <Heading text={t("rankings-points")} />}
            {hasResults && <Heading text={t("entrants-result")} />}
            {hasResults && <Heading text="Buchholz" isWide />}
            {hasBegun && <Heading text={t("rankings-games")} isWide />}
          </tr>
        </thead>
        <tbody>
          {standings.map(({ entrant, displayName, place, games, points, result, buchholz }) => (
            <tr key={entrant} class={entrant === own ? "own" : ""}>
              {hasBegun && <td class="number rank">{place || "–"}</td>}
              <th scope="row">
                <bdi class={place === 1 && tournament.state === "TOURNAMENT_STATE_FINISHED" ? "name first-place" : "name"}>{displayName}</bdi>
                {bots.get(entrant) && <span class="small soft">{t("entrants-bot")} {bots.get(entrant) !== displayName && bots.get(entrant)}</span>}
                {hasBegun && (
                  <span class="small soft narrow">
                    {t("games", { count: games })}
                    {buchholz !== undefined && `, Buchholz ${percentage(buchholz)}`}
                  </span>
                )}
              </th>
              {hasBegun && <td class="number">{pointsText(points)}</td>}
              {hasResults && <td class="number">{percentage(result) || "–"}</td>}
              {hasResults && <td class="number wide">{percentage(buchholz) || "–"}</td>}
              {hasBegun && <td class="number wide">{games}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {hasBegun && <p class="small soft">{isKnockout ? t("entrants-knockout") : t("entrants-rule")}</p>}
    </>
  );
}

function Heading({ text, isWide = false }: { text: string; isWide?: boolean }): JSX.Element {
  return (
    <th scope="col" class={isWide ? "number wide" : "number"}>
      {text}
    </th>
  );
}

function pointsText(points: number): string {
  return `${Math.round(100 * points) / 100}`;
}
