import type { api } from "skerry-client";
import { useEffect, useRef, useState } from "preact/hooks";
import { setting } from "../settings.js";
import { play } from "../sound.js";
import { type Said, saidAfter } from "./emotes.js";

/** How long the page shows what a player says, in milliseconds. */
const SHOWN_MS = 4000;

/**
 * Returns what players have said in the last seconds, by seat, with a sound for what others say. Empty if the viewer has
 * muted emotes. What was said before the page was opened is only in the log.
 */
export function useEmotes(entries: readonly api.Entry[], own: number | undefined): ReadonlyMap<number, string> {
  const [shown, setShown] = useState<readonly Said[]>([]);
  const known = useRef<number>(undefined);
  useEffect(() => {
    const last = entries.at(-1);
    if (!last) return;
    const news = known.current === undefined ? [] : saidAfter(entries, known.current);
    known.current = Number(last.sequence);
    if (!news.length || !setting("emotes")) return;
    setShown((before) => [...before, ...news]);
    setTimeout(() => setShown((before) => before.filter((one) => !news.includes(one))), SHOWN_MS);
    if (news.some(({ seat }) => seat !== own)) play("emote");
  }, [entries, entries.length]);
  return new Map(shown.map(({ seat, text }) => [seat, text]));
}
