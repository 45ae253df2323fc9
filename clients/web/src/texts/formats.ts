import { locale } from "./language.js";

/** Returns a date, with the time of day if `timeStyle` is given. */
export function dateText(time: string | number, style: Intl.DateTimeFormatOptions = {}): string {
  const date = new Date(time);
  return style.timeStyle ? date.toLocaleString(locale(), style) : date.toLocaleDateString(locale(), style);
}

/** Returns a number of units of time: "5 minutes", or in another style "5 min". */
export function unitText(count: number, unit: "day" | "hour" | "minute" | "second", unitDisplay: "long" | "short" | "narrow" = "long"): string {
  return new Intl.NumberFormat(locale(), { style: "unit", unit, unitDisplay }).format(count);
}

/** Returns a share as a percentage. */
export function percentText(share: number): string {
  return new Intl.NumberFormat(locale(), { style: "percent" }).format(share);
}
