import { describe, expect, it } from "vitest";
import { type api, applyFrame, match } from "../src/index.js";
import { direct as skerry, first } from "./tables.js";

const games = await skerry.games();

describe("a whole game", () => {
  it.each(games.map(({ id }) => id))("of %s is played by turns, and observed by a spectator", async (game) => {
    const table = await skerry.create(game, { seats: 2, bots: 1 });
    const ada = await table.join("Ada");
    const received: api.Entry[] = [];
    const following = (async () => {
      for await (const update of table.observe({ afterSequence: 0 })) {
        expect(update.reset).toBe(false);
        received.push(...update.entries);
      }
    })();
    const drawing = (async () => {
      const updates = table.observe({ view: "scene" });
      let { scene } = (await updates.next()).value!.position!;
      expect(scene!.areas).not.toEqual([]);
      let [frames, noted] = [0, 0];
      for await (const { entries, position } of updates) {
        let pieces = scene!.pieces;
        for (const entry of entries) {
          if (!("moved" in entry)) continue;
          expect(entry.moved.frames.reduce((sum, { events }) => sum + events, 0)).toBe(entry.moved.events.length);
          pieces = entry.moved.frames.reduce(applyFrame, pieces);
          frames += 1;
        }
        scene = position!.scene;
        expect(pieces).toEqual(scene!.pieces);
        if (!position!.outcome && frames % 5) continue; // a sample, to save time
        const whole = (await table.read({ view: "scene", sequence: position!.sequence })).position!.scene!;
        expect(pieces).toEqual(whole.pieces);
        expect(scene!.annotations).toHaveLength(whole.annotations.length);
        expect(scene!.annotations).toEqual(expect.arrayContaining(whole.annotations));
        noted += whole.annotations.length;
      }
      expect(frames).toBeGreaterThan(10);
      expect(noted).toBeGreaterThan(0);
    })();
    for await (const position of ada.turns()) {
      const { sequence } = await ada.act(first(position.legalMoves));
      expect(ada.lastPosition?.sequence).toBe(sequence);
    }
    await following;
    await drawing;
    const { state, outcome, sequence } = await table.session();
    expect(state).toBe("SESSION_STATE_FINISHED");
    expect(outcome?.ranks).toHaveLength(2);
    expect(received.map((entry) => entry.sequence)).toEqual(Array.from(received, (_, index) => `${index + 1}`));
    expect(received.length).toBe(Number(sequence));
    expect(ada.lastPosition?.outcome).toEqual(outcome);
    const { entries } = await table.replay();
    expect(entries.map(kind)).toEqual(received.map(kind));
  });
});

function kind(entry: api.Entry): string {
  return match(
    entry,
    {
      created: () => "created",
      joined: ({ displayName }) => `${displayName} joined`,
      left: () => "left",
      started: () => "started",
      moved: ({ events }) => `moved: ${events.length}`,
      labelled: () => "labelled",
      removed: () => "removed",
      returned: () => "returned",
      recovered: () => "recovered",
      away: () => "away",
      timedOut: () => "timedOut",
      resigned: () => "resigned",
      nudged: () => "nudged",
      undone: () => "undone",
      emoted: () => "emoted",
      webhookSet: () => "webhookSet",
      seatOpened: () => "seatOpened",
      cancelled: () => "cancelled",
    },
    () => "newer",
  );
}
