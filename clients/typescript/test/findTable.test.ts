import { describe, expect, it } from "vitest";
import { findTable } from "../src/tables.js";
import { direct as skerry, refused } from "./tables.js";

/** Only tables of one test count, because the server has those of the others too. */
const label = (test: string): { labels: Record<string, string>; label: string } => ({ labels: { test }, label: `test=${test}` });

describe("findTable", () => {
  it("finds the newest table that anyone can join, and its seat plays", async () => {
    const { labels, label: only } = label("find");
    expect(await findTable(skerry, "kreta", { label: only })).toBeUndefined();
    const older = await skerry.create("kreta", { seats: 2, labels });
    const newer = await skerry.create("kreta", { seats: 3, labels });
    await skerry.create("canarias", { seats: 2, labels });
    await skerry.create("kreta", { seats: 2, labels, joinCode: true });
    await skerry.create("kreta", { seats: 2, labels, visibility: "unlisted" });
    expect((await findTable(skerry, "kreta", { label: only }))?.name).toBe(newer.name);
    const pair = await findTable(skerry, "games/kreta", { label: only, accept: ({ seats }) => seats.length === 2 });
    expect(pair?.name).toBe(older.name);
    await older.join("Ada");
    const bob = await pair!.join("Bob");
    expect((await bob.session()).state).toBe("SESSION_STATE_PLAYING");
    expect((await findTable(skerry, "kreta", { label: only, accept: ({ seats }) => seats.length === 2 }))?.name).toBeUndefined();
  });

  it("passes errors on, and stops when it is aborted", async () => {
    expect((await refused(findTable(skerry, "chess"))).reason).toBe("GAME_NOT_FOUND");
    const reason = new Error("enough");
    await expect(findTable(skerry, "kreta", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
