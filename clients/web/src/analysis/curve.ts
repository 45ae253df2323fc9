import type { api } from "skerry-client";

/** The entries that the slider covers, and the one that is shown. */
export interface Span {
  first: number;
  last: number;
  now: number;
}

/** Where an entry is on the curve, in percent of its width. */
export function acrossPercent(sequence: number, { first, last }: Span): number {
  return last > first ? (100 * (sequence - first)) / (last - first) : 0;
}

/** Returns the chances after an entry: those of the latest point up to it, or of the first point. */
export function chancesAt(points: readonly api.ChancePoint[], sequence: number): readonly number[] | undefined {
  return (points.filter((point) => Number(point.sequence) <= sequence).at(-1) ?? points[0])?.chances;
}

/** Returns the points that a curve connects. While the analysis runs, the outcome is apart from the points before it. */
export function connectedPoints({ complete, points }: api.GetAnalysisResponse): readonly api.ChancePoint[] {
  return complete ? points : points.slice(0, -1);
}

/** Returns the path of a seat's curve, 100 wide and high: a chance of 1 is at the top. */
export function curvePath(points: readonly api.ChancePoint[], seat: number, span: Span): string {
  const places = points.map(({ sequence, chances }) => `${round(acrossPercent(Number(sequence), span))} ${round(100 - 100 * (chances[seat] ?? 0))}`);
  return places.length ? `M${places.join("L")}` : "";
}

/** Returns how much of an analysis is ready, from 0 to 1. */
export function progress(analysis: api.GetAnalysisResponse, span: Span): number {
  if (analysis.complete) return 1;
  const reached = connectedPoints(analysis).at(-1);
  return reached ? acrossPercent(Number(reached.sequence), span) / 100 : 0;
}

function round(value: number): number {
  return Math.round(100 * value) / 100;
}
