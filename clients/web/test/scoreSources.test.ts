import type { api, CreateOptions } from "skerry-client";
import { describe, expect, it } from "vitest";
import { type Source, scoreSources } from "../src/table/scoreSources.js";
import { client, GAMES } from "./games.js";

/** Every game, and its variants with other sources of points. */
const PLAYED: readonly (readonly [string, CreateOptions<string>["options"]])[] = [
  ["kreta", {}],
  ["tenerife", {}],
  ["tenerife", { turbulent: true, puertoFarmer: true }],
  ["canarias", {}],
  ["canarias", { deck: "DECK_TRIPLES", islands: "ISLANDS_DEAL" }],
  ["small_islands", {}],
  ["small_islands", { mode: "MODE_ADVANCED", startLayout: "START_LAYOUT_FREE" }],
];

/** The sources of each game's points. In Small Islands, the cards in play decide which of them occur. */
const HEADINGS: Readonly<Record<string, readonly string[]>> = {
  kreta: ["Most influence", "Second-most influence", "Harvests"],
  tenerife: ["Mansions", "Goods sold", "Merchant", "Town Hall", "Thieves"],
  canarias: ["Houses", "Palaces", "Towns", "Lost to pirates"],
  small_islands: [
    ...["Flowers", "Fruits", "Leaves", "Temples", "Ports", "Scarcest resource", "Size of islands", "Fixed points"],
    ...["Discoveries", "Ports at the ship"],
  ],
};

/** Returns the log and the scores of a finished game. */
async function over(name: string): Promise<{ entries: readonly api.Entry[]; scores: readonly number[] }> {
  const table = await client.table(name);
  const entries: api.Entry[] = [];
  for await (const update of table.observe({ afterSequence: 0, view: "scene" })) entries.push(...update.entries);
  return { entries, scores: (await table.session()).outcome!.scores };
}

function sums(sources: readonly Source[] | undefined): number[] | undefined {
  const [first, ...others] = sources?.map(({ points }) => points) ?? [];
  return first?.map((own, seat) => others.reduce((sum, points) => sum + points[seat]!, own));
}

describe.each(PLAYED)("%s %o", (game, options) => {
  it("accounts for every point", async () => {
    const headings = new Set<string>();
    for (let number = 0; number < 8; number += 1) {
      const seats = number % 4 || "turbulent" in (options ?? {}) ? 2 : 4;
      const seed = new Uint8Array(32).fill(number);
      const { name } = await client.create<string>(game, { seats, bots: seats, seed, ...(options && { options }) });
      const { entries, scores } = await over(name);
      const sources = scoreSources(entries, scores);
      expect(sums(sources), name).toEqual(scores);
      for (const { heading } of sources!) headings.add(heading);
      expect(scoreSources(entries.slice(1), scores)).toBeUndefined();
      const more = scores.map((score) => score + 1);
      expect(scoreSources(entries, more)).toBeUndefined();
    }
    expect(HEADINGS[game]).toEqual(expect.arrayContaining([...headings]));
    if (game !== "small_islands") expect(headings.size).toBe(HEADINGS[game]!.length);
    else expect(headings.size).toBeGreaterThan(5);
  });
});

describe.each(GAMES)("%s", (game) => {
  it("accounts for the points of a resigned game, and of a fork", async () => {
    const seed = new Uint8Array(32).fill(1);
    const table = await client.create<string>(game, { seats: 2, bots: 1, seed });
    const seat = await table.join("Ada");
    let turns = 0;
    for await (const position of seat.turns()) {
      turns += 1;
      if (turns === 12) await seat.resign();
      else await seat.act(position.legalMoves[0]!);
    }
    const { entries, scores } = await over(table.name);
    expect(sums(scoreSources(entries, scores)) ?? [0, 0]).toEqual(scores);
    const other = await client.fork(table.name, entries.length - 2, { seats: 2, bots: 2 });
    const forked = await over(other.name);
    expect(sums(scoreSources(forked.entries, forked.scores))).toEqual(forked.scores);
  });
});
