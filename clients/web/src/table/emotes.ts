import type { api } from "skerry-client";

/** What players can say to the table, with the words that the page shows. */
export const EMOTES: readonly (readonly [api.Emote, string])[] = [
  ["EMOTE_HELLO", "Hello!"],
  ["EMOTE_GOOD_LUCK", "Good luck!"],
  ["EMOTE_WELL_PLAYED", "Well played!"],
  ["EMOTE_THANKS", "Thanks!"],
  ["EMOTE_OOPS", "Oops!"],
  ["EMOTE_GOOD_GAME", "Good game!"],
];

/** Returns the words of an emote. Emotes that a newer server added have none. */
export function emoteText(emote: api.Emote): string {
  return EMOTES.find(([known]) => known === emote)?.[1] ?? "…";
}

/** What a player has just said. */
export interface Said {
  sequence: string;
  seat: number;
  text: string;
}

/** Returns what players have said after an entry. */
export function saidAfter(entries: readonly api.Entry[], sequence: number): Said[] {
  const said: Said[] = [];
  for (let place = entries.length - 1; place >= 0 && Number(entries[place]!.sequence) > sequence; place -= 1) {
    const entry = entries[place]!;
    if ("emoted" in entry && entry.seat !== undefined) {
      said.unshift({ sequence: entry.sequence, seat: entry.seat, text: emoteText(entry.emoted.emote) });
    }
  }
  return said;
}
