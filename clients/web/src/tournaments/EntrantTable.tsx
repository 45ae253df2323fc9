import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useKeptFocus } from "../rankings/useKeptFocus.js";
import { idOf } from "../rankings/rankingText.js";
import { counted } from "../text.js";
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
  const bots = new Map(tournament.entrants.map(({ number, bot }) => [number, bot]));
  if (!standings.length) return <p class="soft">Nobody has entered yet.</p>;
  return (
    <>
      <table class="standings figures">
        <thead class={hasBegun ? "" : "visually-hidden"}>
          <tr>
            {hasBegun && (
              <th scope="col">
                <span class="visually-hidden">Place</span>
              </th>
            )}
            <th scope="col">Entrant</th>
            {hasBegun && <Heading text="Points" />}
            {hasBegun && !isKnockout && <Heading text="Result" />}
            {hasBegun && !isKnockout && <Heading text="Buchholz" isWide />}
            {hasBegun && <Heading text="Games" isWide />}
          </tr>
        </thead>
        <tbody>
          {standings.map(({ entrant, displayName, place, games, points, result, buchholz }) => (
            <tr key={entrant} class={entrant === own ? "own" : ""}>
              {hasBegun && <td class="number rank">{place || "–"}</td>}
              <th scope="row">
                <bdi class={place === 1 && tournament.state === "TOURNAMENT_STATE_FINISHED" ? "name first-place" : "name"}>{displayName}</bdi>
                {bots.get(entrant) && <span class="small soft">bot {idOf(bots.get(entrant)!) !== displayName && idOf(bots.get(entrant)!)}</span>}
                {hasBegun && (
                  <span class="small soft narrow">
                    {counted(games, "game")}
                    {buchholz !== undefined && `, Buchholz ${percentage(buchholz)}`}
                  </span>
                )}
              </th>
              {hasBegun && <td class="number">{pointsText(points)}</td>}
              {hasBegun && !isKnockout && <td class="number">{percentage(result) || "–"}</td>}
              {hasBegun && !isKnockout && <td class="number wide">{percentage(buchholz) || "–"}</td>}
              {hasBegun && <td class="number wide">{games}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {hasBegun && <p class="small soft">{isKnockout ? KNOCKOUT_RULE : OTHER_RULE}</p>}
    </>
  );
}

const KNOCKOUT_RULE = "The best of each table advances. Ties are played off up to five times, then the lot decides.";
const OTHER_RULE = "Result: the share of opponents beaten. Tie-breaks: Buchholz, the mean result of the opponents, then head to head.";

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
