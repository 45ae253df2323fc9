import type { api } from "skerry-client";
import type { JSX } from "preact";
import { along, type RatingAxis } from "./ladderText.js";
import { t } from "../texts/texts.js";

/** A rating with its interval, drawn on the axis of all rows. */
export function Interval({ rating: { value, low, high }, axis }: { rating: api.LadderRating; axis: RatingAxis }): JSX.Element {
  const range = t("ladder-interval", { low: `${Math.round(low)}`, high: `${Math.round(high)}` });
  return (
    <svg class="interval" role="img" aria-label={range}>
      <title>{range}</title>
      {axis.marks.map((mark) => (
        <line key={mark} class="grid" x1={along(axis, mark)} x2={along(axis, mark)} y1="0" y2="100%" />
      ))}
      <line class="range" x1={along(axis, low)} x2={along(axis, high)} y1="50%" y2="50%" />
      <circle cx={along(axis, value)} cy="50%" r="5" />
    </svg>
  );
}

/** The numbers of the axis, above the intervals. */
export function AxisMarks({ axis }: { axis: RatingAxis }): JSX.Element {
  return (
    <svg class="interval marks" aria-hidden="true">
      {axis.marks.map((mark, number) => (
        <text key={mark} x={along(axis, mark)} y="75%" class={number && number < axis.marks.length - 1 ? "inner" : ""}>
          {mark}
        </text>
      ))}
    </svg>
  );
}
