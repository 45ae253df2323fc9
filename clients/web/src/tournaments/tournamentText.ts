import type { api } from "skerry-client";
import { clockText } from "../rankings/rankingText.js";
import { dateText, percentText } from "../texts/formats.js";
import { messageId, t } from "../texts/texts.js";

const FORMATS: Readonly<Partial<Record<api.TournamentFormat, string>>> = {
  TOURNAMENT_FORMAT_ROUND_ROBIN: messageId("format-round-robin"),
  TOURNAMENT_FORMAT_GAUNTLET: messageId("format-gauntlet"),
  TOURNAMENT_FORMAT_SWISS: messageId("format-swiss"),
  TOURNAMENT_FORMAT_KNOCKOUT: messageId("format-knockout"),
};

/** Returns format, game, seats and clock. `game`: its title. */
export function termsOf({ format, seats, clock }: api.Tournament, game: string): string {
  const known = FORMATS[format];
  return [known !== undefined && t(known), t("rankings-terms", { game, players: seats }), clock && clockText(clock)].filter(Boolean).join(" · ");
}

/** Returns how many have entered, and when play begins, began or ended. */
export function stateText({ state, entrants, mostEntrants, startTime, endTime, joinCodeRequired }: api.Tournament): string {
  if (state === "TOURNAMENT_STATE_OPEN") {
    const start = startTime ? t("state-starts", { date: dateText(startTime, { dateStyle: "medium", timeStyle: "short" }) }) : t("state-organizer");
    return [t("state-entered", { count: entrants.length, most: mostEntrants }), start, joinCodeRequired && t("lobby-needs-code")].filter(Boolean).join(" · ");
  }
  const end = state === "TOURNAMENT_STATE_CANCELLED" ? messageId("state-cancelled") : messageId("state-ended");
  return [t("state-entrants", { count: entrants.length }), endTime && t(end, { date: dateText(endTime, { dateStyle: "medium" }) })].filter(Boolean).join(" · ");
}

/** Returns the names of the entrants at the first place. Empty before the end. */
export function winnersOf({ tournament: { state }, standings }: api.GetTournamentResponse): string[] {
  return state === "TOURNAMENT_STATE_FINISHED" ? standings.filter(({ place }) => place === 1).map(({ displayName }) => displayName) : [];
}

/** Returns a share as a percentage. Empty: there is none. */
export function percentage(share: number | undefined): string {
  return share === undefined || share < 0 ? "" : percentText(share);
}
