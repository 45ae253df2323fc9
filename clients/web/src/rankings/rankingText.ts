import type { api } from "skerry-client";
import { dateText, unitText } from "../texts/formats.js";
import { locale } from "../texts/language.js";
import { t } from "../texts/texts.js";

const MINUTE_MS = 60_000;
const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ["day", 1440 * MINUTE_MS],
  ["hour", 60 * MINUTE_MS],
  ["minute", MINUTE_MS],
];

/** Returns how long ago something was: "now", "5 min. ago", or its date after 30 days. Times in ms. */
export function since(time: number, now: number): string {
  const passed = now - time;
  if (passed > 30 * 1440 * MINUTE_MS) return dateText(time);
  const [unit, ms] = UNITS.find(([, least]) => passed >= least) ?? ["second", Infinity];
  return new Intl.RelativeTimeFormat(locale(), { style: "short", numeric: ms === Infinity ? "auto" : "always" }).format(-Math.max(0, Math.floor(passed / ms)), unit);
}

/** Returns the id in a resource name: "gull" for "bots/gull". */
export function idOf(name: string): string {
  return name.slice(name.indexOf("/") + 1);
}

/** Returns the clock of each game in words. Empty for a kind that this page does not know. */
export function clockText(clock: api.Clock): string {
  if ("bank" in clock) {
    const { timeMs, incrementMs } = clock.bank;
    const time = duration(timeMs);
    return incrementMs ? t("rankings-clock-increment", { time, more: duration(incrementMs) }) : t("rankings-clock-bank", { time });
  }
  if ("perMove" in clock) return t("rankings-clock-turn", { time: duration(clock.perMove.timeMs) });
  if ("correspondence" in clock) return t("rankings-clock-turn", { time: unitText(clock.correspondence.days, "day") });
  return "";
}

function duration(ms: number): string {
  return ms % MINUTE_MS ? unitText(ms / 1000, "second", "short") : unitText(ms / MINUTE_MS, "minute", "short");
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
  if (rank === 1) return seats.filter((one) => one.rank === 1).length > 1 ? t("rankings-tied") : t("rankings-won");
  return seats.length === 2 ? t("rankings-lost") : t("rankings-place", { place: t("place", { place: rank }), count: seats.length });
}

/** Returns what ended a game early: who failed, or who resigned. Or that it does not count. Empty if the rules ended it. */
export function endNotesOf({ seats, reason, void: isVoid }: RankedGame): string[] {
  if (isVoid) return [t("rankings-void")];
  const failures = seats.flatMap(({ displayName, failure }) => (failure ? `${displayName} ${failure}` : []));
  const isAboutSeat = seats.some(({ displayName }) => reason.startsWith(`${displayName} `));
  return failures.length || !isAboutSeat ? failures : [reason.replace(/\.$/, "")];
}
