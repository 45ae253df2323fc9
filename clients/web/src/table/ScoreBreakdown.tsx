import type { JSX } from "preact";
import { PlayerName } from "../text.js";
import type { Source } from "./scoreSources.js";
import { t } from "../texts/texts.js";

interface ScoreBreakdownProps {
  names: readonly string[];
  /** The seats, the winner first. */
  seats: readonly number[];
  sources: readonly Source[];
  /** The number of sources that are counted so far. */
  counted: number;
}

/** Where each player's points came from, and the sum of what is counted so far. */
export function ScoreBreakdown({ names, seats, sources, counted }: ScoreBreakdownProps): JSX.Element | null {
  if (!sources.length) return null;
  const shown = sources.slice(0, counted);
  const total = (seat: number): number => shown.reduce((sum, { points }) => sum + points[seat]!, 0);
  return (
    <table class="sources">
      <caption class="small">{t("result-sources")}</caption>
      <thead>
        <tr>
          <td />
          {seats.map((seat) => (
            <th key={seat} scope="col">
              <PlayerName seat={seat} name={names[seat] ?? ""} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map(({ heading, points }) => (
          <tr key={heading}>
            <th scope="row">{heading}</th>
            {seats.map((seat) => (
              <td key={seat} class={points[seat] ? "figures" : "figures soft"}>
                {signed(points[seat] ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t("result-total")}</th>
          {seats.map((seat) => (
            <td key={seat} class="figures">
              {signed(total(seat))}
            </td>
          ))}
        </tr>
      </tfoot>
    </table>
  );
}

function signed(points: number): string {
  return `${points}`.replace("-", "−");
}
