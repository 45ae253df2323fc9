import type { api } from "skerry-client";
import { expect, it } from "vitest";
import { bracketOf, hasLost, ROW_PX } from "../src/tournaments/bracket.js";

type Table = [entrants: number[], shares?: number[], advances?: number];

function round(tables: Table[], playoff = 0): api.TournamentRound {
  return { playoff, tables: tables.map(([entrants, shares = entrants.map(() => -1), advances = 0]) => ({ entrants, shares, advances })) };
}

function knockout(entrants: number, rounds: api.TournamentRound[], currentRound?: api.TournamentRound, seats = 2): api.GetTournamentResponse {
  const numbers = Array.from({ length: entrants }, (_, at) => ({ number: at + 1 }));
  const tournament = { format: "TOURNAMENT_FORMAT_KNOCKOUT", state: "TOURNAMENT_STATE_RUNNING", seats, entrants: numbers };
  return { tournament, rounds, currentRound } as unknown as api.GetTournamentResponse;
}

/** The players of each table of each round. */
function players(response: api.GetTournamentResponse): number[][][] {
  return bracketOf(response).rounds.map((tables) => tables.map(({ rows }) => rows.map(({ entrant }) => entrant)));
}

it("a knockout that has begun shows the rounds to come", () => {
  expect(players(knockout(5, [], round([[[1, 2]], [[3, 4]]])))).toEqual([[[1, 2], [3, 4]], [[5, 0]], [[0, 0]]]);
});

it("a round to come shows who advances, and from where", () => {
  const response = knockout(4, [round([[[1, 2], [0, 1], 2], [[3, 4], [0.5, 0.5]]])], round([[[3, 4]]], 1));
  expect(players(response)).toEqual([[[1, 2], [3, 4]], [[2, 0]]]);
  const { rounds } = bracketOf(response);
  expect(rounds[1]![0]!.rows.map(({ from }) => from)).toEqual([[0, 0], [0, 1]]);
  expect(rounds[0]!.map(({ note }) => note)).toEqual(["", "play-off"]);
});

it("a player is out once another one advances from its table", () => {
  const response = knockout(5, [round([[[1, 2], [0, 1], 2], [[3, 4], [0.5, 0.5]]])], round([[[3, 4]]], 1));
  expect([1, 2, 3, 4, 5].filter((one) => hasLost(response, one))).toEqual([1]);
});

it("the lot decides a tie that no play-off has decided", () => {
  const first = round([[[1, 2], [0.5, 0.5], 1]]);
  expect(bracketOf(knockout(2, [first, round([[[1, 2], [0, 1]]], 1)])).rounds[0]![0]!.note).toBe("play-off");
  expect(bracketOf(knockout(2, [first, round([[[1, 2], [0.5, 0.5]]], 1)])).rounds[0]![0]!.note).toBe("lot");
});

it("players of larger tables come from every earlier round, and the last table takes all that are left", () => {
  const response = knockout(8, [round([[[1, 2, 3], [1, 0.5, 0], 1], [[4, 5, 6], [0, 0.5, 1], 6]])], round([[[7, 8, 1]]]), 3);
  expect(players(response)).toEqual([[[1, 2, 3], [4, 5, 6]], [[7, 8, 1]], [[6, 0]]]);
  expect(bracketOf(response).rounds[2]![0]!.rows.map(({ from }) => from)).toEqual([[0, 1], [1, 0]]);
});

it("tables of a round do not overlap, and a table is beside those from which its players come", () => {
  const first = Array.from({ length: 16 }, (_, at): Table => [[2 * at + 1, 2 * at + 2]]);
  const { rounds, height } = bracketOf(knockout(33, [], round(first)));
  expect(rounds.map(({ length }) => length)).toEqual([16, 8, 4, 2, 1, 1]);
  for (const tables of rounds) {
    const tops = tables.map(({ top }) => top).sort((one, other) => one - other);
    tops.forEach((top, at) => at && expect(top - tops[at - 1]!).toBeGreaterThan(2 * ROW_PX));
    expect(tops.at(-1)! + 2 * ROW_PX).toBeLessThanOrEqual(height);
  }
});

it("a Swiss tournament has its rounds alone", () => {
  const response = knockout(4, [round([[[1, 2], [1, 0]], [[3, 4], [0, 1]]])], round([[[1, 4]], [[2, 3]]]));
  response.tournament.format = "TOURNAMENT_FORMAT_SWISS";
  expect(players(response)).toEqual([[[1, 2], [3, 4]], [[1, 4], [2, 3]]]);
});
