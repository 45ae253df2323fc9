import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { unitText } from "../texts/formats.js";
import { t } from "../texts/texts.js";

/** A running clock with less time left, in milliseconds, is highlighted. */
const SHORT_MS = 20_000;
/** How often a running clock is redrawn. Each redraw computes the time left, so a tab that slept shows the correct time at once. */
const REDRAW_MS = 250;

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

/** Redraws a component regularly. */
export function useRedraw(isOn: boolean): void {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), REDRAW_MS);
    return () => clearInterval(timer);
  }, [isOn]);
}

/** Returns days, hours, minutes and seconds, rounded up to a whole second: 0:00 means that the time is over. */
function parts(ms: number): readonly [number, number, number, number] {
  const seconds = Math.ceil(ms / 1000);
  return [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
}

/** Returns a time for display: `2:05`. */
export function formatTime(ms: number): string {
  const [days, hours, minutes, seconds] = parts(ms);
  const two = (part: number): string => `${part}`.padStart(2, "0");
  if (days) return `${unitText(days, "day", "narrow")} ${unitText(hours, "hour", "narrow")}`;
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** Returns a time for screen readers: "2 minutes 5 seconds". */
export function spokenTime(ms: number): string {
  const [days, hours, minutes, seconds] = parts(ms);
  if (days) return `${unitText(days, "day")} ${unitText(hours, "hour")}`;
  if (hours) return `${unitText(hours, "hour")} ${unitText(minutes, "minute")}`;
  return minutes ? `${unitText(minutes, "minute")} ${unitText(seconds, "second")}` : unitText(seconds, "second");
}
