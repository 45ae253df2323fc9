import { unitText } from "../texts/formats.js";
import { locale } from "../texts/language.js";

const UNITS = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
  [1, "second"],
] as const;

/** Returns a duration as its two largest units, such as `3h 20m`. */
export function inWords(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const first = UNITS.findIndex(([size]) => whole >= size);
  if (first < 0) return unitText(0, "second", "narrow");
  let left = whole;
  const parts: string[] = [];
  for (const [size, unit] of UNITS.slice(first, first + 2)) {
    if (left >= size) parts.push(unitText(Math.floor(left / size), unit, "narrow"));
    left %= size;
  }
  return parts.join(" ");
}

/** Returns the time since a timestamp. */
export function ageOf(time: string | undefined): string {
  return time ? inWords((Date.now() - Date.parse(time)) / 1000) : "–";
}

/** Returns the seconds of a duration, such as `1.5s`. */
export function secondsOf(duration: string): number {
  return Number(duration.replace("s", ""));
}

/** Returns a number of bytes in MiB. */
export function bytesOf(bytes: string): string {
  return `${decimal(Number(bytes) / 2 ** 20)} MiB`;
}

/** Returns a number with one decimal place. */
export function decimal(value: number): string {
  return new Intl.NumberFormat(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value);
}

/** Returns the id in a resource name: `sessions/a` is `a`. */
export function idOf(name: string): string {
  return name.slice(name.indexOf("/") + 1);
}
