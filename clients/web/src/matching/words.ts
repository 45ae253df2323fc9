import type { api } from "skerry-client";
import { CLOCKS } from "../session/tableOptions.js";
import type { SearchSetup } from "../storage.js";
import { t } from "../texts/texts.js";

/** Returns the seats of all players but the first. */
export function others(seats: number): number[] {
  return Array.from({ length: seats - 1 }, (_, other) => other + 1);
}

/** Returns what a search looks for: "Kreta, 2 players, no time limit". */
export function describeSetup({ title, seats, clock, options }: SearchSetup): string {
  const variants = Object.keys(options).length ? "yes" : "no";
  return t("search-setup", { title, players: seats, time: describeClock(clock), variants });
}

function describeClock(clock: api.ClockInput | undefined): string {
  if (!clock) return t("search-no-clock");
  const sent = JSON.stringify(clock); // A stored setup is a copy.
  const label = CLOCKS.find((one) => JSON.stringify(one.clock) === sent)?.label;
  return label === undefined ? t("search-clock") : t(label);
}
