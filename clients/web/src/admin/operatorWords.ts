const UNITS = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"],
] as const;

/** Returns a duration as its two largest units, such as `3 h 20 min`. */
export function inWords(seconds: number): string {
  let left = Math.max(0, Math.floor(seconds));
  const parts: string[] = [];
  for (const [size, unit] of UNITS) {
    if (left >= size) parts.push(`${Math.floor(left / size)} ${unit}`);
    left %= size;
  }
  if (!parts.length || (parts.length === 1 && parts[0]!.endsWith("min") && left)) parts.push(`${left} s`);
  return parts.slice(0, 2).join(" ");
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
  return `${(Number(bytes) / 2 ** 20).toFixed(1)} MiB`;
}

/** Returns the name of an enum value as a word: `SESSION_STATE_LOBBY` of the kind `SESSION_STATE` is `lobby`. */
export function wordOf(value: string, kind: string): string {
  return value.replace(`${kind}_`, "").toLowerCase().replaceAll("_", " ");
}

/** Returns the id in a resource name: `sessions/a` is `a`. */
export function idOf(name: string): string {
  return name.slice(name.indexOf("/") + 1);
}
