import type { api } from "skerry-client";
import { clockText } from "../rankings/rankingText.js";
import { counted } from "../text.js";

const FORMATS: Readonly<Partial<Record<api.TournamentFormat, string>>> = {
  TOURNAMENT_FORMAT_ROUND_ROBIN: "Round robin",
  TOURNAMENT_FORMAT_GAUNTLET: "Gauntlet",
  TOURNAMENT_FORMAT_SWISS: "Swiss",
  TOURNAMENT_FORMAT_KNOCKOUT: "Knockout",
};

/** Returns format, game, seats and clock. `game`: its title. */
export function termsOf({ format, seats, clock }: api.Tournament, game: string): string {
  return [FORMATS[format], `${game}, ${counted(seats, "player")}`, clock && clockText(clock)].filter(Boolean).join(" · ");
}

/** Returns how many have entered, and when play begins, began or ended. */
export function stateText({ state, entrants, mostEntrants, startTime, endTime, joinCodeRequired }: api.Tournament): string {
  const entered = counted(entrants.length, "entrant");
  if (state === "TOURNAMENT_STATE_OPEN") {
    const start = startTime ? `starts on ${new Date(startTime).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}` : "the organizer starts it";
    return `${entrants.length} of ${mostEntrants} entrants · ${start}${joinCodeRequired ? " · needs a code" : ""}`;
  }
  const end = endTime && new Date(endTime).toLocaleDateString([], { dateStyle: "medium" });
  return [entered, state === "TOURNAMENT_STATE_CANCELLED" ? `cancelled on ${end}` : end && `ended on ${end}`].filter(Boolean).join(" · ");
}

/** Returns the names of the entrants at the first place. Empty before the end. */
export function winnersOf({ tournament: { state }, standings }: api.GetTournamentResponse): string[] {
  return state === "TOURNAMENT_STATE_FINISHED" ? standings.filter(({ place }) => place === 1).map(({ displayName }) => displayName) : [];
}

/** Returns a share as a percentage. Empty: there is none. */
export function percentage(share: number | undefined): string {
  return share === undefined || share < 0 ? "" : `${Math.round(100 * share)} %`;
}
