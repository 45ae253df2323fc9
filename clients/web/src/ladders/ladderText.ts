import type { api } from "skerry-client";
import { ordinal } from "../text.js";

const MINUTE_MS = 60_000;
const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ["day", 1440 * MINUTE_MS],
  ["hour", 60 * MINUTE_MS],
  ["minute", MINUTE_MS],
];
const ago = new Intl.RelativeTimeFormat("en", { style: "short" });

/** Returns how long ago something was: "now", "5 min. ago", or its date after 30 days. Times in ms. */
export function since(time: number, now: number): string {
  const passed = now - time;
  if (passed > 30 * 1440 * MINUTE_MS) return new Date(time).toLocaleDateString();
  const [unit, ms] = UNITS.find(([, least]) => passed >= least) ?? [];
  return unit && ms ? ago.format(-Math.floor(passed / ms), unit) : "now";
}

/** Returns the id in a resource name: "gull" for "bots/gull". */
export function idOf(name: string): string {
  return name.slice(name.indexOf("/") + 1);
}

/** Returns the clock of each game in words. Empty for a kind that this page does not know. */
export function clockText(clock: api.Clock): string {
  if ("bank" in clock) {
    const { timeMs, incrementMs } = clock.bank;
    return `${duration(timeMs)} each${incrementMs ? ` + ${duration(incrementMs)} per turn` : ""}`;
  }
  if ("perMove" in clock) return `${duration(clock.perMove.timeMs)} per turn`;
  return "";
}

function duration(ms: number): string {
  return ms % MINUTE_MS ? `${ms / 1000} s` : `${ms / MINUTE_MS} min`;
}

/** Returns the result of a game for one seat: "won", "lost", "tied", "2nd of 3". Empty while the game is in play. */
export function resultOf({ seats }: api.LadderGame, { rank }: api.LadderGameSeat): string {
  if (!rank) return "";
  if (rank === 1) return seats.filter((one) => one.rank === 1).length > 1 ? "tied" : "won";
  return seats.length === 2 ? "lost" : `${ordinal(rank)} of ${seats.length}`;
}

/** Returns what ended a game early: who failed, or who resigned. Empty if the rules ended it. */
export function endNotesOf({ seats, reason }: api.LadderGame): string[] {
  const failures = seats.flatMap(({ displayName, failure }) => (failure ? `${displayName} ${failure}` : []));
  const isAboutSeat = seats.some(({ displayName }) => reason.startsWith(`${displayName} `));
  return failures.length || !isAboutSeat ? failures : [reason.replace(/\.$/, "")];
}

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
