import type { api } from "skerry-client";
import { describe, expect, it } from "vitest";
import { select, selectTarget, type MovePath } from "../src/selection.js";
import { forGame, movePaths } from "../src/games/ui.js";
import { client, drawn, GAMES, newsOf, play } from "./games.js";

/** The fields of a view that events determine and the board shows. Whose turn it is does not follow from events. */
const FIELDS: Readonly<Record<(typeof GAMES)[number], readonly string[]>> = {
  tenerife: ["round", "hallRound", "startSeat", "currentPlace", "column", "transport", "towns", "hall", "storage", "farmhand"],
  small_islands: ["round", "tiles", "ships", "tokens", "greyShips", "display", "navigationStack", "reserve", "gone"],
};

/** The same for the fields of each seat. */
const SEAT_FIELDS: typeof FIELDS = {
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
  return (view.seats as Fields[]).map((seat) => chosen(seat, SEAT_FIELDS[game]));
}

describe.each(GAMES)("%s", (game) => {
  it("applies events to the same view as the server", async () => {
    const ui = await drawn(game);
    const news = await newsOf(game, ui);
    let before: unknown;
    for (const { position, events } of news.filter(({ position: { outcome } }) => !outcome)) {
      const after = forGame(position.view, ui) as Fields;
      if (before) {
        const painted = events.reduce((view, event) => ui.playback!.apply(view, event, position.seat), before) as Fields;
        const said = JSON.stringify(events);
        expect(chosen(painted, FIELDS[game]), said).toEqual(chosen(after, FIELDS[game]));
        expect(seatsOf(painted, game), said).toEqual(seatsOf(after, game));
      }
      before = after;
    }
    expect(news.length).toBeGreaterThan(20);
  });

  it("has a path to every legal move that leads to no other move", async () => {
    const ui = await drawn(game);
    const table = await client.create<string>(game, { seats: 2, bots: 1 });
    const seat = await table.join("Ada");
    const { board } = await client.game(game);
    const turns = await play(seat, ({ legalMoves, view }) => {
      const paths = movePaths(legalMoves, ui, forGame(board!, ui), forGame(view, ui));
      for (const move of legalMoves) expect(led(paths, move), move.text).toBe(move);
    });
    expect(turns).toBeGreaterThan(10);
  });
});

/** Selects the steps of a move's first path. Returns the move that they complete. */
function led(paths: readonly MovePath[], wanted: api.Move): api.Move | undefined {
  const steps = paths.find(({ move }) => move === wanted)?.steps ?? [];
  let selection = select(paths, []);
  for (const { target } of steps) {
    expect(target).not.toMatch(/^move:/);
    if (!selection.targets.includes(target)) selection = selectTarget(paths, selection.targets, target);
  }
  expect(selection.next.size).toBe(0);
  return selection.move;
}
