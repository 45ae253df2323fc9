import type { api, CreateOptions } from "skerry-client";
import { describe, expect, it } from "vitest";
import { type Source, sourcesOf } from "../src/table/gains.js";
import { client, drawn } from "./games.js";

/** Every game, and each of its variants in which other things give points. */
const PLAYED: readonly (readonly [string, CreateOptions<string>["options"]])[] = [
  ["kreta", {}],
  ["tenerife", {}],
  ["tenerife", { turbulent: true, puertoFarmer: true }],
  ["canarias", {}],
  ["canarias", { deck: "DECK_TRIPLES", islands: "ISLANDS_DEAL" }],
  ["small_islands", {}],
  ["small_islands", { mode: "MODE_ADVANCED", startLayout: "START_LAYOUT_FREE" }],
];

/** What each game's points come from. Of Small Islands: by its cards, whatever of it comes up. */
const HEADINGS: Readonly<Record<string, readonly string[]>> = {
  kreta: ["Most influence", "Second-most influence", "Harvests"],
  tenerife: ["Mansions", "Goods sold", "Merchant", "Town Hall", "Thieves"],
  canarias: ["Houses", "Palaces", "Towns", "Lost to pirates"],
  small_islands: [
    ...["Flowers", "Fruits", "Leaves", "Temples", "Ports", "Scarcest resource", "Size of islands", "Fixed points"],
    ...["Discoveries", "Ports at the ship"],
  ],
};

/** Returns the log and the points of a game that is over. */
async function over(name: string): Promise<{ entries: readonly api.Entry[]; scores: readonly number[] }> {
  const table = await client.table(name);
  const [{ entries }, { session }] = [await table.replay(), await table.read()];
  return { entries, scores: session.outcome!.scores };
}

function sums(sources: readonly Source[] | undefined): number[] | undefined {
  const [first, ...others] = sources?.map(({ points }) => points) ?? [];
  return first?.map((own, seat) => others.reduce((sum, points) => sum + points[seat]!, own));
}

describe.each(PLAYED)("%s %o", (game, options) => {
  it("tells of every point where it came from", async () => {
    const ui = await drawn(game);
    const told = new Set<string>();
    for (let number = 0; number < 8; number += 1) {
      const seats = number % 4 || "turbulent" in (options ?? {}) ? 2 : 4;
      const seed = new Uint8Array(32).fill(number);
      const { name } = await client.create<string>(game, { seats, bots: seats, seed, ...(options && { options }) });
      const { entries, scores } = await over(name);
      const sources = sourcesOf(entries, scores, ui);
      expect(sums(sources), name).toEqual(scores);
      for (const { heading } of sources!) told.add(heading);
      expect(sourcesOf(entries.slice(1), scores, ui)).toBeUndefined();
      const more = scores.map((score) => score + 1);
      expect(sourcesOf(entries, more, ui)).toBeUndefined();
    }
    expect(HEADINGS[game]).toEqual(expect.arrayContaining([...told]));
    if (game !== "small_islands") expect(told.size).toBe(HEADINGS[game]!.length);
    else expect(told.size).toBeGreaterThan(5);
  });
});

describe.each(["kreta", "tenerife", "canarias", "small_islands"])("%s", (game) => {
  it("tells it too of a game that a resignation ends, and of one that went on from another", async () => {
    const ui = await drawn(game);
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
    expect(sums(sourcesOf(entries, scores, ui)) ?? [0, 0]).toEqual(scores);
    const other = await client.fork(table.name, entries.length - 2, { seats: 2, bots: 2 });
    const forked = await over(other.name);
    expect(sums(sourcesOf(forked.entries, forked.scores, ui))).toEqual(forked.scores);
  });
});
