// Rematches, forks and delayed spectating.
import { describe, expect, it } from "vitest";
import { begun, direct as skerry, play, refused } from "./tables.js";

describe("a rematch", () => {
  it("exists once, seats each player one seat further on, and has the first caller as host", async () => {
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

describe("entropy", () => {
  it("is added when joining, and is public after the game", async () => {
    const entropy = new Uint8Array(32).fill(7);
    const sent = btoa(String.fromCharCode(...entropy));
    const table = await skerry.create("kreta", { seats: 2 });
    const ada = await table.join("Ada", { entropy });
    await table.join("Bob");
    const [before] = (await table.session()).seats;
    expect([before?.entropyHash?.length, before?.entropy]).toEqual([44, ""]);
    await ada.resign();
    expect((await table.session()).seats.map((seat) => seat.entropy)).toEqual([sent, ""]);
    const again = await ada.rematch({ entropy });
    expect((await again.session()).seats[again.number]?.entropyHash).toBeDefined();
  });
});

describe("a fork", () => {
  it("continues a finished game", async () => {
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

describe("a delayed session", () => {
  it("shows spectators the game with its delay", async () => {
    const table = await skerry.create("kreta", { seats: 2, delay: { entries: 5 } });
    const seats = [await table.join("Ada"), await table.join("Bob")];
    const reached = await play(seats, 6);
    const spectator = await skerry.table(table.name);
    expect(Number((await spectator.session()).sequence)).toBe(reached - 5);
    expect((await refused(spectator.position({ sequence: reached }))).reason).toBe("SEQUENCE_AHEAD");
    expect(Number((await table.session()).sequence)).toBe(reached);
  });
});
