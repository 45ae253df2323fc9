import { useEffect, useState } from "preact/hooks";
import { unitText } from "./texts/formats.js";

/** How often a time is redrawn. Each redraw computes it, so a tab that slept shows the correct time at once. In milliseconds. */
const REDRAW_MS = 250;

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

const UNITS = ["day", "hour", "minute", "second"] as const;

/** Returns a time in words: "2 minutes 5 seconds". */
export function spokenTime(ms: number): string {
  const counts = parts(ms);
  const first = counts.findIndex((count) => count > 0);
  if (first < 0) return unitText(0, "second");
  return UNITS.flatMap((unit, place) => (counts[place] && place < first + 2 ? unitText(counts[place], unit) : [])).join(" ");
}
