import type { api } from "skerry-client";
import { messageId, t } from "../texts/texts.js";

/** The ids of the words of what players can say to the table. */
const WORDS: Readonly<Partial<Record<api.Emote, string>>> = {
  EMOTE_HELLO: messageId("emote-hello"),
  EMOTE_GOOD_LUCK: messageId("emote-luck"),
  EMOTE_WELL_PLAYED: messageId("emote-played"),
  EMOTE_THANKS: messageId("emote-thanks"),
  EMOTE_OOPS: messageId("emote-oops"),
  EMOTE_GOOD_GAME: messageId("emote-game"),
};

/** What players can say to the table. */
export const EMOTES = Object.keys(WORDS) as api.Emote[];

/** Returns the words of an emote. Emotes that a newer server added have none. */
export function emoteText(emote: api.Emote): string {
  const words = WORDS[emote];
  return words === undefined ? "…" : t(words);
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
