// The compiler runs most of these tests: `@ts-expect-error` fails if there is no error.
import { describe, expect, it } from "vitest";
import type { api, CaseOf, Client, kreta, SkerryError, smallIslands } from "../src/index.js";
import { match } from "../src/index.js";

/** Whether two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <_ extends true>(): void => undefined;

const view = { kreta: { phase: "PHASE_PLAY_CARD" } } as unknown as api.View;
const newer = { atlantis: {} } as unknown as api.View;

describe("a union", () => {
  it("is narrowed by a key", () => {
    if ("kreta" in view) {
      same<Same<typeof view.kreta, kreta.View>>();
      expect(view.kreta.phase).toBe("PHASE_PLAY_CARD");
    } else if ("smallIslands" in view) {
      same<Same<typeof view.smallIslands, smallIslands.View>>();
      // @ts-expect-error It is not Kreta.
      view.kreta;
    }
    // @ts-expect-error There is no such game.
    const chess: api.View = { chess: {} };
    expect(chess).toBeDefined();
  });

  it("keeps the common fields, and lists its cases", () => {
    type Reminded = "nudged" | "webhookSet" | "undone" | "emoted";
    type Going = "left" | "recovered" | "away" | "timedOut" | "returned" | "resigned" | "seatOpened" | "cancelled" | "removed";
    same<Same<CaseOf<api.Entry>, "created" | "joined" | "started" | "moved" | "labelled" | Reminded | Going>>();
    same<Same<CaseOf<api.Move>, "kreta" | "canarias" | "tenerife" | "smallIslands">>();
    same<Same<api.Entry["sequence"], string>>();
    same<Same<api.Entry["seat"], number | undefined>>();
    same<Same<api.Move["text"], string>>();
  });

  it("is matched with every case, and with cases of a newer server", () => {
    const games = { kreta: () => "K", canarias: () => "C", tenerife: () => "T", smallIslands: () => "S" };
    expect(match(view, games, () => "?")).toBe("K");
    expect(match(newer, games, (it) => Object.keys(it).join())).toBe("atlantis");
    expect(match(view, { ...games, kreta: ({ phase }) => phase }, () => "?")).toBe("PHASE_PLAY_CARD");
    const cases = { ...games, kreta: ({ phase }: kreta.View) => phase, canarias: () => 7 as const };
    const found = match(view, cases, () => undefined);
    same<Same<typeof found, string | kreta.Phase | 7 | undefined>>();
    const inline = match(
      view,
      { kreta: ({ phase }) => phase, canarias: () => 7, tenerife: ({ round }) => [round], smallIslands: () => null },
      (newer) => newer,
    );
    same<Same<typeof inline, kreta.Phase | number | number[] | null | api.View>>();
    const later = match(view, { ...games, kreta: async ({ phase }) => phase }, () => Promise.resolve(1));
    same<Same<typeof later, string | Promise<kreta.Phase> | Promise<number>>>();
    expect([found, inline]).toEqual(["PHASE_PLAY_CARD", "PHASE_PLAY_CARD"]);
    // @ts-expect-error A case is missing.
    expect(match(newer, { kreta: () => "K" }, () => "?")).toBe("?");
    // @ts-expect-error There is no such case.
    expect(match(newer, { ...games, chess: () => "?" }, () => "?")).toBe("?");
  });
});

describe("a request", () => {
  it("has only known fields, and fields with defaults are optional", () => {
    const moves: api.MoveInput[] = [
      { kreta: { playCard: { card: "CARD_ABBOT" } } },
      { kreta: { halt: {} } },
      { smallIslands: { placeHouse: undefined as never } },
      // @ts-expect-error There is no such game.
      { chess: {} },
      // @ts-expect-error There is no such kind of move.
      { kreta: { playCrad: { card: "CARD_KING" } } },
      // @ts-expect-error There is no such field.
      { kreta: { playCard: { card: "CARD_KING", copy: "CARD_ADMIRAL" } } },
      // @ts-expect-error There is no such value.
      { kreta: { playCard: { card: "CARD_QUEEN" } } },
      // @ts-expect-error A number is no text.
      { kreta: { recruit: { province: 7 } } },
    ];
    expect(moves).toHaveLength(8);
  });

  it("has the options of its game", () => {
    const written = (skerry: Client): unknown[] => [
      skerry.create("kreta", { seats: 2, options: { startSeat: 1 } }),
      skerry.create("small_islands", { seats: 2, options: { startSeat: 1 } }),
      skerry.create("a_newer_game", { seats: 2, options: { anything: true } }),
      // @ts-expect-error Kreta has no such option.
      skerry.create("kreta", { seats: 2, options: { startSeet: 1 } }),
      // @ts-expect-error There is no such visibility.
      skerry.create("kreta", { seats: 2, visibility: "invited" }),
    ];
    expect(written).toBeDefined();
  });
});

describe("a reason", () => {
  it("is a known reason, and has its metadata", () => {
    const received = (error: SkerryError): string => {
      if (error.is("RULE_BROKEN")) return error.metadata.rule;
      // @ts-expect-error A stale sequence breaks no rule.
      if (error.is("STALE_SEQUENCE")) return error.metadata.rule;
      // @ts-expect-error There is no such reason.
      if (error.is("RULE_BORKEN")) return "";
      return error.metadata["anything"] ?? "";
    };
    expect(received).toBeDefined();
  });
});
