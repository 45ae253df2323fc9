import { type api, Client, type Seat } from "skerry-client";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the server that all tests share. */
    url: string;
  }
}

export const GAMES = ["kreta", "tenerife", "canarias", "small_islands"] as const;

export const client = new Client(inject("url"));

/** Plays a whole game against bots, with every seventh legal move. Returns the number of turns. */
export async function play(seat: Seat, look: (position: api.Position) => void = () => undefined): Promise<number> {
  let turns = 0;
  for await (const position of seat.turns({ view: "scene" })) {
    look(position);
    await seat.act(position.legalMoves[(7 * turns) % position.legalMoves.length]!, { view: "scene" });
    turns += 1;
  }
  return turns;
}
