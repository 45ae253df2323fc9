import type { api } from "skerry-client";
import { idOf } from "../rankings/rankingText.js";

/** The scale on which the intervals of all rows are drawn. */
export interface RatingAxis {
  low: number;
  high: number;
  /** The values with a line. */
  marks: number[];
}

const MOST_STEPS = 4;
const STEPS = [50, 100, 200, 500, 1000];

/** Returns an axis with round ends that contains all intervals, or `undefined` if no row has a rating. */
export function axisOf(standings: readonly api.Standing[]): RatingAxis | undefined {
  const ratings = standings.flatMap(({ rating }) => rating ?? []);
  if (!ratings.length) return undefined;
  const [least, most] = [Math.min(...ratings.map(({ low }) => low)), Math.max(...ratings.map(({ high }) => high))];
  const ends = (step: number): [number, number] => [Math.floor(least / step) * step, Math.ceil(most / step) * step];
  const fits = (step: number): boolean => ends(step)[1] - ends(step)[0] <= MOST_STEPS * step;
  const step = STEPS.find(fits) ?? Math.ceil((most - least) / 3000) * 1000;
  const [low, high] = ends(step);
  return { low, high, marks: Array.from({ length: (high - low) / step + 1 }, (_, mark) => low + mark * step) };
}

/** Returns the position of a rating on the axis, as a percentage. */
export function along({ low, high }: RatingAxis, value: number): string {
  return `${Math.round((1000 * (value - low)) / (high - low || 1)) / 10}%`;
}

/** What the fragment of the address keeps, so that a reload and the way back show the same. */
export interface Shown {
  /** 0: the present season. */
  season: number;
  /** The row with open details. Empty: none. */
  open: string;
}

/** Returns what a fragment of the address shows. */
export function shownBy(fragment: string): Shown {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ""));
  const season = Number(parameters.get("season"));
  return { season: Number.isSafeInteger(season) && season > 0 ? season : 0, open: parameters.get("open") ?? "" };
}

/** Returns the fragment of the address for what is shown. Empty: the present season without details. */
export function fragmentOf({ season, open }: Shown): string {
  const given = `${new URLSearchParams({ ...(season && { season: `${season}` }), ...(open && { open }) })}`;
  return given && `#${given}`;
}

const SHORT_HASH = 8;

/** Returns the beginning of a hash: enough to distinguish the versions of a bot. */
export function shortHash(hash: string): string {
  return hash.slice(0, SHORT_HASH);
}

/** Returns the id of a row: a version of a bot, or the place of a person, whose name need not be unique. */
export function rowOf({ bot, version }: api.Standing, place: number): string {
  return bot ? `${idOf(bot)}.${shortHash(version)}` : `${place}`;
}
