// Pages of the log.
import { describe, expect, it } from "vitest";
import { begun } from "./tables.js";

describe("entries", () => {
  it("are listed after a sequence", async () => {
    const { seats } = await begun();
    const whole = await seats[0]!.entries(0);
    expect(whole.entries).toEqual((await seats[0]!.replay()).entries);
    const last = await seats[0]!.entries(Number(whole.sequence) - 1);
    expect(last.entries.map((entry) => entry.sequence)).toEqual([whole.sequence]);
  });
});
