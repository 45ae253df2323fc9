import { type api, Client, type Seat } from "skerry-client";
import { expect, inject } from "vitest";
import { type GameUi, forGame, loadUi } from "../src/games/ui.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the server that all tests share. */
    url: string;
  }
}

/** The games whose events determine the whole board, and whose moves all start on the board. */
export const GAMES = ["tenerife", "small_islands"] as const;

export const client = new Client(inject("url"));

/** Loads the code that draws a game. */
export async function drawn(game: string): Promise<GameUi> {
  const ui = await loadUi(game);
  expect(ui).toBeDefined();
  return ui!;
}

/** Plays a whole game against bots, with every seventh legal move. Returns the number of turns. */
export async function play(seat: Seat, look: (position: api.Position) => void = () => undefined): Promise<number> {
  let turns = 0;
  for await (const position of seat.turns()) {
    look(position);
    await seat.act(position.legalMoves[(7 * turns) % position.legalMoves.length]!);
    turns += 1;
  }
  return turns;
}

/** One update of a seat: a position, and the events that led to it. */
export interface News {
  position: api.Position;
  events: unknown[];
}

/** Plays a whole game against two bots, and returns the updates that the seat received. */
export async function newsOf(game: string, ui: GameUi): Promise<News[]> {
  const table = await client.create<string>(game, { seats: 3, bots: 2 });
  const seat = await table.join("Ada");
  const news: News[] = [];
  const over = play(seat);
  for await (const { position, entries } of seat.observe({ afterSequence: 0 })) {
    const moved = entries.flatMap((entry) => ("moved" in entry ? entry.moved.events : []));
    if (position) news.push({ position, events: moved.map((event) => forGame(event, ui)) });
  }
  await over;
  return news;
}
