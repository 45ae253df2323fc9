import type { api } from "skerry-client";
import { LOCAL, readJson, write } from "./storage.js";
import { seatNames } from "./text.js";

/** What this browser keeps about a finished game of its player. No token: the game can be watched without one. */
export interface FinishedGame {
  /** `sessions/{id}`. */
  session: string;
  /** The id of the game. */
  game: string;
  /** When this browser saw the end, by `Date.now()`. */
  date: number;
  /** The names of all players, by seat. */
  players: readonly string[];
  /** The own rank, from 1, and the own points. */
  place: number;
  points: number;
}

const KEY = "skerry.finished";
/** The most games that are kept. */
export const MAX_GAMES = 50;

/** Returns the finished games of this browser, newest first. */
export function finishedGames(): readonly FinishedGame[] {
  const games = readJson<FinishedGame[]>(KEY, LOCAL);
  return Array.isArray(games) ? games.filter(isGame) : [];
}

function isGame(one: Partial<FinishedGame> | null): one is FinishedGame {
  return typeof one?.session === "string" && typeof one.game === "string" && Array.isArray(one.players);
}

/** Keeps a finished game, once. Pages in frames of other sites keep none. */
export function keepFinished(session: api.Session, seat: number): void {
  const { name, game, outcome } = session;
  const known = finishedGames();
  if (!outcome || window.parent !== window || known.some((one) => one.session === name)) return;
  const [place, points] = [outcome.ranks[seat] ?? 0, outcome.scores[seat] ?? 0];
  const kept: FinishedGame = { session: name, game, date: Date.now(), players: seatNames(session), place, points };
  write(KEY, JSON.stringify([kept, ...known].slice(0, MAX_GAMES)));
}

/** How often the player has played and won a game. */
export interface Statistics {
  game: string;
  games: number;
  wins: number;
}

/** Returns the statistics of each game, the most played first. */
export function statisticsOf(games: readonly FinishedGame[]): Statistics[] {
  const found = new Map<string, Statistics>();
  for (const { game, place } of games) {
    const { games: count, wins } = found.get(game) ?? { games: 0, wins: 0 };
    found.set(game, { game, games: count + 1, wins: wins + (place === 1 ? 1 : 0) });
  }
  return [...found.values()].sort((one, other) => other.games - one.games);
}
