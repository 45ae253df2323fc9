import type { api } from "skerry-client";
import type { JSX } from "preact";
import { t } from "../texts/texts.js";
import { formatTime, spokenTime, useRedraw } from "../time.js";

/** A running clock with less time left, in milliseconds, is highlighted. */
const SHORT_MS = 20_000;

/** Returns the clocks as of now. */
export type ReadClocks = () => api.Clocks | undefined;

interface ClockProps {
  seat: number;
  /** The name of the player. Absent: the viewer. */
  owner?: string;
  read: ReadClocks;
}

/** The time that a seat has left. It counts down while the clock runs. */
export function Clock({ seat, owner, read }: ClockProps): JSX.Element | null {
  const clocks = read();
  const clock = clocks?.seats[seat];
  const isRunning = clock?.deadlineMs !== undefined;
  useRedraw(isRunning);
  if (!clocks || !clock) return null;
  const ms = Math.max(0, timeLeft(clock, Number(clocks.serverTimeMs)));
  const isShort = isRunning && ms < SHORT_MS;
  return (
    <span
      class={`clock figures ${isRunning ? "running" : "soft"} ${isShort ? "short" : ""}`}
      role="timer"
      aria-label={owner === undefined ? t("clock-own", { time: spokenTime(ms) }) : t("clock-left", { name: owner, time: spokenTime(ms) })}
    >
      {formatTime(ms)}
    </span>
  );
}

/** Returns the time left, in milliseconds. A stopped clock has its bank and the time that the next turn adds. */
function timeLeft({ deadlineMs, leftMs, graceMs }: api.SeatClock, nowMs: number): number {
  return deadlineMs === undefined ? Number(leftMs) + Number(graceMs) : Number(deadlineMs) - nowMs;
}
