import type { api } from "skerry-client";
import { beforeEach, expect, it, vi } from "vitest";
import { finishedGames, keepFinished, MAX_GAMES, statisticsOf } from "../src/finishedGames.js";

const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  const storage = { getItem: (key: string) => stored.get(key) ?? null, setItem: (key: string, value: string) => stored.set(key, value) };
  vi.stubGlobal("localStorage", storage);
  const top = {};
  vi.stubGlobal("window", Object.assign(top, { parent: top }));
});

function session(name: string, ranks: number[], game = "kreta"): api.Session {
  const seats = ranks.map((_, seat) => ({ seat, displayName: `Player ${seat}` }));
  return { name, game, seats, outcome: { ranks, scores: [30, 20], reason: "" } } as unknown as api.Session;
}

it("keeps each finished game once, with the own place, and no more than fit", () => {
  for (let number = 0; number < MAX_GAMES + 5; number += 1) keepFinished(session(`sessions/${number}`, [1, 2]), 1);
  keepFinished(session(`sessions/${MAX_GAMES + 4}`, [2, 1]), 1);
  const games = finishedGames();
  expect(games).toHaveLength(MAX_GAMES);
  expect(games[0]).toMatchObject({ session: `sessions/${MAX_GAMES + 4}`, place: 2, points: 20, players: ["Player 0", "Player 1"] });
  expect(JSON.stringify(games)).not.toMatch(/token/i);
});

it("counts games and wins by game", () => {
  keepFinished(session("sessions/a", [1, 2]), 0);
  keepFinished(session("sessions/b", [1, 2], "tenerife"), 1);
  keepFinished(session("sessions/c", [1, 2], "tenerife"), 0);
  expect(statisticsOf(finishedGames())).toEqual([
    { game: "tenerife", games: 2, wins: 1 },
    { game: "kreta", games: 1, wins: 1 },
  ]);
});

it("survives what it did not write", () => {
  for (const text of ["", "{}", "null", "[null, 3, {}]", "x"]) {
    stored.set("skerry.finished", text);
    expect(finishedGames()).toEqual([]);
  }
});

it("keeps nothing in a frame of another site", () => {
  vi.stubGlobal("window", { parent: {} });
  keepFinished(session("sessions/a", [1, 2]), 0);
  expect(finishedGames()).toEqual([]);
});
