import type { api } from "skerry-client";
import type { NextStep } from "../selection.js";

/** Returns the digits that select a move of the list: one digit in a list of up to nine, otherwise two. None after the 81st. */
export function digitsOf(place: number, count: number): string {
  if (count <= 9) return `${place + 1}`;
  return place < 81 ? `${1 + Math.floor(place / 9)}${1 + (place % 9)}` : "";
}

/** Returns the next steps without duplicates: of steps that lead to the same move, or read alike and lead on alike, the first. */
export function withoutDuplicates(nexts: readonly NextStep[]): NextStep[] {
  const isSame = (one: NextStep, other: NextStep): boolean =>
    one.only ? one.only === other.only : one.label === other.label && movesOf(one).every((move, place) => movesOf(other)[place] === move);
  return nexts.filter((next, place) => nexts.findIndex((other) => isSame(next, other)) === place);
}

function movesOf({ paths }: NextStep): api.Move[] {
  return paths.map(({ move }) => move);
}
