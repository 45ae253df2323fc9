import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { PlayerName } from "../text.js";
import { scoreSources } from "./scoreSources.js";

interface ScoreBreakdownProps {
  entries: readonly api.Entry[];
  names: readonly string[];
  /** The seats, the winner first. */
  seats: readonly number[];
  /** Final points, per seat. */
  scores: readonly number[];
}

/** Where each player's points came from. Empty until the whole log has arrived. */
export function ScoreBreakdown({ entries, names, seats, scores }: ScoreBreakdownProps): JSX.Element | null {
  const sources = useMemo(() => scoreSources(entries, scores), [entries, scores]);
  if (!sources?.length) return null;
  return (
    <table class="sources">
      <caption class="small">Where the points came from</caption>
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
        {sources.map(({ heading, points }) => (
          <tr key={heading}>
            <th scope="row">{heading}</th>
            {seats.map((seat) => (
              <td key={seat} class={points[seat] ? "figures" : "figures soft"}>
                {`${points[seat]}`.replace("-", "−")}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          {seats.map((seat) => (
            <td key={seat} class="figures">
              {scores[seat]}
            </td>
          ))}
        </tr>
      </tfoot>
    </table>
  );
}
