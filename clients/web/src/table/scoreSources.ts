import type { api } from "skerry-client";

/** One source of points, and the points that each seat got from it. */
export interface Source {
  heading: string;
  points: readonly number[];
}

/**
 * Returns the sources of the points of a finished game, the largest first. `undefined` while entries are missing, and if
 * their gains do not add up to the scores.
 */
export function scoreSources(entries: readonly api.Entry[], scores: readonly number[]): Source[] | undefined {
  const sums = new Map<string, number[]>();
  const events = entries.flatMap((entry) => ("moved" in entry ? entry.moved.events : []));
  for (const { seat, points, source } of events.flatMap(({ effect }) => effect?.gains ?? [])) {
    const sum = sums.get(source) ?? scores.map(() => 0);
    sum[seat]! += points;
    sums.set(source, sum);
  }
  const sources = [...sums].map(([heading, points]) => ({ heading, points })).filter(({ points }) => points.some(Boolean));
  const isWhole = entries.every(({ sequence }, place) => Number(sequence) === place + 1);
  const isAll = scores.every((score, seat) => score === total(sources.map(({ points }) => points[seat]!)));
  return isWhole && isAll ? sources.sort((one, other) => total(other.points) - total(one.points)) : undefined;
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
