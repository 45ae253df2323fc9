import { expect, inject } from "vitest";
import { type api, Client, type Seat, SkerryError, type Table } from "../src/index.js";

/** A client without a bad line, which plays what others watch. */
export const direct = new Client(inject("url"));

/** The first of some things, which are there. */
export function first<T>(all: readonly T[]): T {
  expect(all.length).toBeGreaterThan(0);
  return all[0]!;
}

/** A game of Kreta in which one is always to move: seats play as `move` says. */
export async function begun(skerry = direct): Promise<{ table: Table; seats: Seat[] }> {
  const table = await skerry.create("kreta", { seats: 2 });
  return { table, seats: [await table.join("Ada"), await table.join("Bob")] };
}

/** Makes so many moves at a table of two. Returns the sequence reached. */
export async function play(seats: readonly Seat[], moves: number): Promise<number> {
  let sequence = 0;
  for (let made = 0; made < moves; made += 1) {
    const position = await seats[0]!.position();
    const seat = seats[first(position.toAct)]!;
    await seat.position();
    sequence = Number((await seat.act(first(seat.lastPosition!.legalMoves))).sequence);
  }
  return sequence;
}

/** The numbers of entries. */
export function numbers(entries: readonly api.Entry[]): number[] {
  return entries.map(({ sequence }) => Number(sequence));
}

/** The numbers from 1 to the last. */
export function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

/** The error that a call is refused with. */
export async function refused(call: Promise<unknown>): Promise<SkerryError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SkerryError);
  return error as SkerryError;
}
