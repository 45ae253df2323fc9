import { expect, inject } from "vitest";
import { type api, Client, type Seat, SkerryError, type Table } from "../src/index.js";

/** A client without a proxy. It plays the games that other clients observe. */
export const direct = new Client(inject("url"));

/** Returns the first element of a list that must not be empty. */
export function first<T>(all: readonly T[]): T {
  expect(all.length).toBeGreaterThan(0);
  return all[0]!;
}

/** Starts a game of Kreta with two seats. */
export async function begun(skerry = direct): Promise<{ table: Table; seats: Seat[] }> {
  const table = await skerry.create("kreta", { seats: 2 });
  return { table, seats: [await table.join("Ada"), await table.join("Bob")] };
}

/** Makes a number of moves at a table of two. Returns the last sequence. */
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

/** Returns the sequences of entries as numbers. */
export function numbers(entries: readonly api.Entry[]): number[] {
  return entries.map(({ sequence }) => Number(sequence));
}

/** Returns the numbers from 1 to `last`. */
export function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

/** Returns the error of a failing call. */
export async function refused(call: Promise<unknown>): Promise<SkerryError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SkerryError);
  return error as SkerryError;
}
