import type { api } from "skerry-client";
import { counted, ordinal } from "../text.js";

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
  if ("correspondence" in clock) return `${counted(clock.correspondence.days, "day")} per turn`;
  return "";
}

function duration(ms: number): string {
  return ms % MINUTE_MS ? `${ms / 1000} s` : `${ms / MINUTE_MS} min`;
}

/** A seat of a game of a ladder or a tournament. */
export type RankedSeat = Pick<api.LadderGameSeat, "displayName" | "rank" | "score" | "failure">;

/** A game of a ladder or a tournament. */
export type RankedGame = Pick<api.LadderGame, "session" | "startTime" | "endTime" | "reason"> & {
  seats: readonly RankedSeat[];
  /** Whether the game ended without a result. */
  void?: boolean;
};

/** Returns the result of a game for one seat: "won", "lost", "tied", "2nd of 3". Empty while the game is in play. */
export function resultOf({ seats }: RankedGame, { rank }: RankedSeat): string {
  if (!rank) return "";
  if (rank === 1) return seats.filter((one) => one.rank === 1).length > 1 ? "tied" : "won";
  return seats.length === 2 ? "lost" : `${ordinal(rank)} of ${seats.length}`;
}

/** Returns what ended a game early: who failed, or who resigned. Or that it does not count. Empty if the rules ended it. */
export function endNotesOf({ seats, reason, void: isVoid }: RankedGame): string[] {
  if (isVoid) return ["does not count"];
  const failures = seats.flatMap(({ displayName, failure }) => (failure ? `${displayName} ${failure}` : []));
  const isAboutSeat = seats.some(({ displayName }) => reason.startsWith(`${displayName} `));
  return failures.length || !isAboutSeat ? failures : [reason.replace(/\.$/, "")];
}
