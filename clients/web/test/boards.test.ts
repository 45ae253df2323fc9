import type { api } from "skerry-client";
import { describe, expect, it } from "vitest";
import { choose, touch, type Way } from "../src/choice.js";
import { held, waysTo } from "../src/games/ui.js";
import { client, drawn, GAMES, newsOf, play } from "./games.js";

/** What a picture shows of a view and its events say; who may do what now is not told by events. */
const PAINTED: Readonly<Record<(typeof GAMES)[number], readonly string[]>> = {
  tenerife: ["round", "hallRound", "startSeat", "currentPlace", "column", "transport", "towns", "hall", "storage", "farmhand"],
  small_islands: ["round", "tiles", "ships", "tokens", "greyShips", "display", "navigationStack", "reserve", "gone"],
};

/** The same of every seat. */
const OF_SEATS: typeof PAINTED = {
  tenerife: ["score", "mansions", "merchant", "cardsInHand", "hand"],
  small_islands: ["score", "hand", "tilesInHand", "tokens", "houses", "housesAtHand", "housesLeft", "ship", "cards", "objective", "aside"],
};

type Fields = Readonly<Record<string, unknown>>;

function chosen(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, sorted(name, fields[name])]));
}

/** Hands have no order. */
function sorted(name: string, value: unknown): unknown {
  return ["hand", "cards"].includes(name) && Array.isArray(value) ? value.map((card) => JSON.stringify(card)).sort() : value;
}

function seatsOf(view: Fields, game: (typeof GAMES)[number]): Fields[] {
  return (view.seats as Fields[]).map((seat) => chosen(seat, OF_SEATS[game]));
}

describe.each(GAMES)("%s", (game) => {
  it("is painted by its events as its positions are", async () => {
    const ui = await drawn(game);
    const news = await newsOf(game, ui);
    let before: unknown;
    for (const { position, events } of news.filter(({ position: { outcome } }) => !outcome)) {
      const after = held(position.view, ui) as Fields;
      if (before) {
        const painted = events.reduce((view, event) => ui.telling!.after(view, event, position.seat), before) as Fields;
        const said = JSON.stringify(events);
        expect(chosen(painted, PAINTED[game]), said).toEqual(chosen(after, PAINTED[game]));
        expect(seatsOf(painted, game), said).toEqual(seatsOf(after, game));
      }
      before = after;
    }
    expect(news.length).toBeGreaterThan(20);
  });

  it("leads to every listed move by touches that lead to no other", async () => {
    const ui = await drawn(game);
    const table = await client.create<string>(game, { seats: 2, bots: 1 });
    const seat = await table.join("Ada");
    const { board } = await client.game(game);
    const turns = await play(seat, ({ legalMoves, view }) => {
      const ways = waysTo(legalMoves, ui, held(board!, ui), held(view, ui));
      for (const move of legalMoves) expect(led(ways, move), move.text).toBe(move);
    });
    expect(turns).toBeGreaterThan(10);
  });
});

/** Touches what stands first on the way to a move, and so on. Returns the move that this chooses. */
function led(ways: readonly Way[], wanted: api.Move): api.Move | undefined {
  const steps = ways.find(({ move }) => move === wanted)?.steps ?? [];
  let choice = choose(ways, []);
  for (const { at } of steps) {
    expect(at).not.toMatch(/^move:/);
    if (!choice.taken.includes(at)) choice = touch(ways, choice.taken, at);
  }
  expect(choice.next.size).toBe(0);
  return choice.move;
}
