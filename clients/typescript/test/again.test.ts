// Playing once more: rematches, and games that go on from within others.
import { describe, expect, it } from "vitest";
import { begun, direct as skerry, play, refused } from "./tables.js";

describe("a rematch", () => {
  it("is one, with everybody a seat further on, and hosted by whoever asked first", async () => {
    const { seats } = await begun();
    const [ada, bob] = seats as [(typeof seats)[0], (typeof seats)[0]];
    expect((await refused(ada.rematch())).reason).toBe("NOT_FINISHED");
    await bob.resign();
    expect((await ada.read()).rematch).toBeUndefined();
    const first = await bob.rematch();
    expect((await ada.read()).rematch).toBe(first.name);
    expect((await first.session()).seats.map(({ occupant, displayName }) => [occupant, displayName])).toEqual([
      ["OCCUPANT_PLAYER", "Bob"],
      ["OCCUPANT_KEPT", "Ada"],
    ]);
    const host = await skerry.table(first.name, { hostToken: first.hostToken });
    expect((await host.label({ event: "cup" })).labels).toEqual({ event: "cup" });
    const second = await ada.rematch();
    expect([second.name, second.number, second.hostToken]).toEqual([first.name, 1, ""]);
    expect([(await bob.rematch()).token, (await ada.rematch()).token]).toEqual([first.token, second.token]);
    await play([first, second], 3);
  });
});

describe("a fork", () => {
  it("goes on from within a game that is over", async () => {
    const { table, seats } = await begun();
    const sequence = await play(seats, 4);
    const then = await table.position();
    const setup = { seats: 2, bots: { 0: "random" } };
    expect((await refused(skerry.fork(table.name, sequence, setup))).reason).toBe("NOT_FINISHED");
    await seats[0]!.resign();
    const fork = await skerry.fork(table.name, sequence, setup);
    const { visibility, state, opening } = await fork.session();
    expect([visibility, state]).toEqual(["VISIBILITY_UNLISTED", "SESSION_STATE_LOBBY"]);
    expect((await fork.position({ sequence: opening })).view).toEqual(then.view);
    const eve = await fork.join("Eve");
    expect(eve.number).toBe(1);
    for await (const { legalMoves } of eve.turns()) await eve.act(legalMoves[0]!);
    expect((await eve.session()).state).toBe("SESSION_STATE_FINISHED");
  });
});

describe("a game that is shown late", () => {
  it("is at its distance for whoever has no seat", async () => {
    const table = await skerry.create("kreta", { seats: 2, delay: { entries: 5 } });
    const seats = [await table.join("Ada"), await table.join("Bob")];
    const reached = await play(seats, 6);
    const onlooker = await skerry.table(table.name);
    expect(Number((await onlooker.session()).sequence)).toBe(reached - 5);
    expect((await refused(onlooker.position({ sequence: reached }))).reason).toBe("SEQUENCE_AHEAD");
    expect(Number((await table.session()).sequence)).toBe(reached);
  });
});
