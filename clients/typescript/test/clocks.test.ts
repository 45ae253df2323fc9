// Clocks, abandoned seats, reminders and webhooks.
import { describe, expect, inject, it } from "vitest";
import { type api, Client } from "../src/index.js";
import { direct as skerry, first, play, refused } from "./tables.js";

const PER_MOVE_MS = 3_600_000;

describe("a player who leaves", () => {
  it("gets a substitute, can return, and can be replaced after the host opened the seat", async () => {
    const table = await skerry.create("kreta", { seats: 2, abandonment: { onResignation: "TIMEOUT_ACTION_END" } });
    const [ada, bob] = [await table.join("Ada"), await table.join("Bob")];
    const left = await bob.leave();
    expect(left.state).toBe("SESSION_STATE_PLAYING");
    expect(left.seats[1]?.substitute).toMatchObject({ cause: "SUBSTITUTE_CAUSE_LEFT", open: false });
    expect((await refused(bob.leave())).reason).toBe("SUBSTITUTE_PLAYS");
    expect((await bob.returnToSeat()).seats[1]?.substitute).toBeUndefined();
    expect((await refused(table.openSeat(1))).reason).toBe("SEAT_TAKEN");
    await bob.leave();
    expect((await table.openSeat(1)).seats[1]?.substitute?.open).toBe(true);
    const eve = await table.join("Eve");
    expect(eve.number).toBe(1);
    expect((await refused(bob.position())).status).toBe("UNAUTHENTICATED");
    expect((await refused(table.cancel())).reason).toBe("IN_PLAY");
    const { state, outcome } = await eve.resign();
    expect([state, outcome?.ranks]).toEqual(["SESSION_STATE_FINISHED", [1, 2]]);
    expect((await ada.position()).outcome?.reason).toContain("Eve resigned.");
  });

  it("keeps the seat for a stated time if it is lost", async () => {
    const table = await skerry.create("kreta", { seats: 2, abandonment: { openAfterMs: 60_000 } });
    for (const name of ["Ada", "Bob"]) await table.join(name);
    expect((await table.session()).abandonment.openAfterMs).toBe(60_000);
    const early = await refused(table.openSeat(first((await table.position()).toAct)));
    expect(early.reason).toBe("SEAT_TAKEN");
    expect(early.retryAfterMs).toBeGreaterThan(0);
    expect(early.retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  it("frees the seat in the lobby, and the host can cancel the session", async () => {
    const table = await skerry.create("kreta", { seats: 2 });
    await (await table.join("Ada")).leave();
    expect((await table.cancel()).state).toBe("SESSION_STATE_CANCELLED");
    expect((await refused(table.position())).reason).toBe("GAME_OVER");
    const received: api.Entry[] = [];
    for await (const { entries } of table.observe({ afterSequence: 0 })) received.push(...entries);
    expect("cancelled" in received[received.length - 1]!).toBe(true);
  });
});

describe("a nudge", () => {
  it("is refused if it is too early, or for a seat that need not act", async () => {
    const table = await skerry.create("kreta", { seats: 2 });
    const seats = [await table.join("Ada"), await table.join("Bob")];
    const owing = first((await table.position()).toAct);
    const early = await refused(seats[1 - owing]!.nudge(owing));
    expect([early.reason, early.metadata["limit"]]).toEqual(["LIMIT_REACHED", "nudges"]);
    expect(early.retryAfterMs).toBeGreaterThan(0);
    expect((await refused(seats[owing]!.nudge(1 - owing))).reason).toBe("NOT_TO_ACT");
  });
});

describe("a webhook", () => {
  it("requires the operator's permission", async () => {
    const table = await skerry.create("kreta", { seats: 2 });
    const seat = await table.join("Ada");
    for (const one of [table, seat]) {
      const error = await refused(one.setWebhook("https://hooks.example/", ["WEBHOOK_EVENT_TURN"]));
      expect([error.reason, error.status]).toEqual(["NOT_ALLOWED", "PERMISSION_DENIED"]);
    }
  });
});

describe("clocks", () => {
  it("advance with time, and run for the seat to move", async () => {
    const clock: api.ClockInput = { perMove: { timeMs: PER_MOVE_MS } };
    const table = await skerry.create("kreta", { seats: 2, clock });
    expect(table.clocks).toBeUndefined();
    const seats = [await table.join("Ada"), await table.join("Bob")];
    const mover = first((await table.position()).toAct);
    const seat = seats[mover]!;
    await seat.position();
    const running = seat.clocks!.seats.map(({ deadlineMs }) => deadlineMs !== undefined);
    expect(running).toEqual(seats.map((_, number) => number === mover));
    const left = Number(seat.clocks!.seats[mover]!.deadlineMs) - Number(seat.clocks!.serverTimeMs);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(PER_MOVE_MS);
    const before = Number(seat.clocks!.serverTimeMs);
    await expect.poll(() => Number(seat.clocks!.serverTimeMs)).toBeGreaterThan(before);
  });

  it("are the newest, whichever response arrives last", async () => {
    const table = await skerry.create("kreta", { seats: 2, clock: { perMove: { timeMs: PER_MOVE_MS } } });
    const seats = [await table.join("Ada"), await table.join("Bob")];
    const mover = first((await table.position()).toAct);
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const late: typeof fetch = async (...asked) => {
      const answer = await fetch(...asked);
      if (`${asked[0]}`.endsWith(":act")) await arrived;
      return answer;
    };
    const seat = await new Client(inject("url"), { fetch: late }).seat(table.name, seats[mover]!.token);
    const before = await seat.position();
    const acting = seat.act(first(before.legalMoves));
    await expect.poll(async () => (await table.position()).sequence).not.toBe(before.sequence);
    const owing = first((await table.position()).toAct);
    while (first((await seat.position()).toAct) === owing) await play(seats, 1);
    arrive();
    await acting;
    const running = seat.clocks!.seats.map(({ deadlineMs }) => deadlineMs !== undefined);
    expect(running).toEqual(seats.map((_, number) => number !== owing));
  });

  it("learn when a move was sent", async () => {
    const sent: Partial<api.ActRequest>[] = [];
    const noting: typeof fetch = (to, init) => {
      if (`${to}`.endsWith(":act")) sent.push(JSON.parse(`${init?.body}`) as api.ActRequest);
      return fetch(to, init);
    };
    const watched = new Client(inject("url"), { fetch: noting });
    const ada = await (await watched.create("kreta", { seats: 2, bots: 1, clock: { bank: { timeMs: PER_MOVE_MS } } })).join("Ada");
    for await (const { legalMoves } of ada.turns()) {
      const known = Number(ada.clocks!.serverTimeMs);
      await ada.act(first(legalMoves));
      expect(Number(sent[0]?.sentMs)).toBeGreaterThanOrEqual(known);
      return;
    }
  });

  it("are absent without a time control", async () => {
    const ada = await (await skerry.create("kreta", { seats: 2, bots: 1 })).join("Ada");
    await ada.position();
    expect(ada.clocks).toBeUndefined();
  });
});
