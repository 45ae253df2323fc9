import type { api } from "skerry-client";
import type { JSX } from "preact";
import { type Bracket, type BracketRow, bracketOf, type BracketTable, ROW_PX } from "./bracket.js";
import { percentage } from "./tournamentText.js";
import { t } from "../texts/texts.js";

interface BracketViewProps {
  reading: api.GetTournamentResponse;
  /** The number of this browser's entrant. */
  own: number | undefined;
}

/** The rounds side by side, with lines along which players advance. On a narrow screen, one below the other. */
export function BracketView({ reading, own }: BracketViewProps): JSX.Element {
  const bracket = bracketOf(reading);
  const isKnockout = reading.tournament.format === "TOURNAMENT_FORMAT_KNOCKOUT";
  const isLast = (round: number): boolean => round === bracket.rounds.length - 1 && reading.tournament.state !== "TOURNAMENT_STATE_CANCELLED";
  const names = new Map(reading.tournament.entrants.map(({ number, displayName }) => [number, displayName]));
  return (
    <div class="bracket-window" role="region" aria-label={isKnockout ? t("bracket") : t("bracket-rounds")} tabIndex={0}>
      <ol class="bracket">
        {bracket.rounds.map((tables, round) => (
          <li key={round}>
            <h2>{isKnockout && tables.length === 1 && isLast(round) ? t("bracket-final") : t("bracket-round", { round: round + 1 })}</h2>
            <ol class="bracket-round" style={{ height: `${bracket.height}px` }}>
              {tables.map((table, at) => (
                <li key={at} class="bracket-table" style={{ top: `${table.top}px` }}>
                  {table.rows.map((row, line) => row.from && <Connector key={line} {...{ bracket, table, round, line }} from={row.from} />)}
                  <ul>
                    {table.rows.map((row, line) => (
                      <Player key={line} row={row} name={names.get(row.entrant)} isOwn={row.entrant === own} />
                    ))}
                  </ul>
                  {table.note && <span class="bracket-note small soft">{table.note === "lot" ? t("bracket-lot") : t("bracket-play-off")}</span>}
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Player({ row: { share, advances }, name, isOwn }: { row: BracketRow; name: string | undefined; isOwn: boolean }): JSX.Element {
  return (
    <li class={[advances && "advances", isOwn && "own"].filter(Boolean).join(" ")}>
      {name === undefined ? <span class="soft">{t("bracket-undecided")}</span> : <bdi class="name" title={name}>{name}</bdi>}
      {advances && <span class="visually-hidden">{t("bracket-advances")}</span>}
      <span class="figures">{percentage(share)}</span>
    </li>
  );
}

interface ConnectorProps {
  bracket: Bracket;
  table: BracketTable;
  round: number;
  /** The row of the player at the table. */
  line: number;
  from: NonNullable<BracketRow["from"]>;
}

/** The line from the table from which a player comes to the player's row. */
function Connector({ bracket, table, round, line, from: [earlier, at] }: ConnectorProps): JSX.Element {
  const source = bracket.rounds[earlier]![at]!;
  const winner = source.rows.findIndex(({ advances }) => advances);
  const start = source.top - table.top + (winner < 0 ? source.rows.length / 2 : winner + 0.5) * ROW_PX;
  const end = (line + 0.5) * ROW_PX;
  const [skipped, top, height] = [round - earlier - 1, Math.min(start, end), Math.abs(end - start)];
  return (
    <>
      <span class="bracket-line leaving" style={{ top: `${start}px`, "--skipped": `${skipped}` }} />
      <span class={`bracket-line ${end < start ? "rising" : "falling"}`} style={{ top: `${top}px`, height: `${height}px` }} />
    </>
  );
}
