import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { GameUi } from "../games/ui.js";
import { Name } from "../words.js";
import { sourcesOf } from "./gains.js";

interface SourcesProps {
  entries: readonly api.Entry[];
  names: readonly string[];
  /** The seats, the winner first. */
  seats: readonly number[];
  /** Final points, per seat. */
  scores: readonly number[];
  /** Absent for a game that this page has no picture of: what its events give is not known. */
  ui: GameUi | undefined;
}

/** Where everybody's points came from, once the whole log is here. */
export function Sources({ entries, names, seats, scores, ui }: SourcesProps): JSX.Element | null {
  const sources = useMemo(() => ui && sourcesOf(entries, scores, ui), [entries, scores, ui]);
  if (!sources?.length) return null;
  return (
    <table class="sources">
      <caption class="small">Where the points came from</caption>
      <thead>
        <tr>
          <td />
          {seats.map((seat) => (
            <th key={seat} scope="col">
              <Name seat={seat} name={names[seat] ?? ""} />
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
