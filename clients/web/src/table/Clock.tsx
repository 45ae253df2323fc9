import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Below this a running clock is shown as running out. In milliseconds. */
const SHORT_MS = 20_000;
/** How often a running clock looks what is left. It counts nothing, so a tab that slept shows the truth at once. */
const LOOK_MS = 250;

/** Reads all clocks as they stand now. */
export type ReadClocks = () => api.Clocks | undefined;

interface ClockProps {
  seat: number;
  /** Whose it is, as a sentence begins: "Ada has". */
  who: string;
  read: ReadClocks;
}

/** What is left of a seat's time, counted down while it runs. */
export function Clock({ seat, who, read }: ClockProps): JSX.Element | null {
  const clocks = read();
  const one = clocks?.seats[seat];
  const isRunning = one?.deadlineMs !== undefined;
  useTicking(isRunning);
  if (!clocks || !one) return null;
  const ms = Math.max(0, leftOf(one, Number(clocks.serverTimeMs)));
  const isShort = isRunning && ms < SHORT_MS;
  return (
    <span
      class={`clock figures ${isRunning ? "running" : "soft"} ${isShort ? "short" : ""}`}
      role="timer"
      aria-label={`${who} ${inWords(ms)} left`}
    >
      {inFigures(ms)}
    </span>
  );
}

/** Returns what a clock has left, in milliseconds. One that stands has its bank and what the next turn brings. */
function leftOf({ deadlineMs, leftMs, graceMs }: api.SeatClock, nowMs: number): number {
  return deadlineMs === undefined ? Number(leftMs) + Number(graceMs) : Number(deadlineMs) - nowMs;
}

function useTicking(isOn: boolean): void {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), LOOK_MS);
    return () => clearInterval(timer);
  }, [isOn]);
}

/** Returns days, hours, minutes and seconds. A second that has begun counts: there is time until nothing is left. */
function parts(ms: number): readonly [number, number, number, number] {
  const seconds = Math.ceil(ms / 1000);
  return [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
}

function inFigures(ms: number): string {
  const [days, hours, minutes, seconds] = parts(ms);
  const two = (part: number): string => `${part}`.padStart(2, "0");
  if (days) return `${days} d ${hours} h`;
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

function inWords(ms: number): string {
  const [days, hours, minutes, seconds] = parts(ms);
  const said = (count: number, unit: string): string => (count === 1 ? `1 ${unit}` : `${count} ${unit}s`);
  if (days) return `${said(days, "day")} ${said(hours, "hour")}`;
  if (hours) return `${said(hours, "hour")} ${said(minutes, "minute")}`;
  return minutes ? `${said(minutes, "minute")} ${said(seconds, "second")}` : said(seconds, "second");
}
