import type { api } from "skerry-client";
import { CLOCKS } from "../session/tableOptions.js";
import type { SearchSetup } from "../storage.js";

/** Returns the seats of all players but the first. */
export function others(seats: number): number[] {
  return Array.from({ length: seats - 1 }, (_, other) => other + 1);
}

/** Returns what a search looks for: "Kreta, 2 players, no time limit". */
export function describeSetup({ title, seats, clock, options }: SearchSetup): string {
  const time = describeClock(clock);
  const variants = Object.keys(options).length ? ", with variants" : "";
  return `${title}, ${seats} players, ${time}${variants}`;
}

function describeClock(clock: api.ClockInput | undefined): string {
  if (!clock) return "no time limit";
  const sent = JSON.stringify(clock); // A stored setup is a copy.
  return CLOCKS.find((one) => JSON.stringify(one.clock) === sent)?.label ?? "with a time limit";
}
