import type { api, Seat, Table } from "skerry-client";
import { keep, lastName, rememberName } from "../keep.js";
import { go } from "../router.js";
import { client, sentence } from "../server.js";

/** What a new table is to be. */
export interface Setup {
  game: string;
  seats: number;
  /** The level of each bot, by its seat. */
  bots: Readonly<Record<number, string>>;
  options: Record<string, unknown>;
  /** Whether others find it in the list. */
  isListed: boolean;
  /** Whether whoever sits down must know a code. */
  hasCode: boolean;
  /** How the players' time is measured. Absent: it is not. */
  clock?: api.ClockInput | undefined;
  /** What happens when players go. Absent: what the server does by default. */
  abandonment?: api.AbandonmentPolicyInput | undefined;
}

/** What whoever makes a table under a name that is refused finds there: the form, as it was. */
export interface Unseated {
  name: string;
  refused: string;
}

/**
 * Makes a table, sits down at it, and goes there. Throws what the server refuses;
 * if that is the name alone, it goes there all the same, and the name can be given again.
 */
export async function makeTable(setup: Setup, name: string): Promise<void> {
  const { game, seats, bots, options, clock, abandonment } = setup;
  const from = location.pathname;
  const table = await client.create<string>(game, {
    ...{ seats, bots, options, clock, abandonment },
    visibility: setup.isListed ? "public" : "unlisted",
    joinCode: setup.hasCode,
  });
  await settle(from, table, game, name);
}

async function settle(from: string, table: Table, game: string, name: string, seat?: number): Promise<void> {
  const { hostToken, joinCode } = table;
  keep({ session: table.name, game, ...(hostToken && { hostToken }), ...(joinCode && { joinCode }) });
  const refused = await sitDown(table, game, name, seat).then(() => undefined, sentence);
  arrive(from, table.name, refused === undefined ? null : ({ name, refused } satisfies Unseated));
}

/** Goes to a table that was asked for at a screen, unless another screen is looked at by now: then the lobby lists it. */
function arrive(from: string, session: string, told: object | null = null): void {
  if (location.pathname === from) go(`/${session}`, told);
}

/** Sits down at a table, and keeps the seat and the code that it took. Returns the seat's token. */
export async function sitDown(table: Table, game: string, name: string, seat?: number): Promise<string> {
  const { token } = await table.join(name, { seat });
  const { joinCode } = table;
  keep({ session: table.name, game, seatToken: token, ...(joinCode && { joinCode }) });
  rememberName(name);
  return token;
}

/** Plays a finished game once more: takes the player's seat at the table that is the same for all who played. */
export async function playAgain(seat: Seat, { game, joinCodeRequired }: api.Session): Promise<void> {
  const from = location.pathname;
  const { name, token, hostToken } = await seat.rematch();
  const { joinCode } = joinCodeRequired && hostToken ? await client.table(name, { hostToken }) : {};
  keep({ session: name, game, seatToken: token, ...(hostToken && { hostToken }), ...(joinCode && { joinCode }) });
  arrive(from, name);
}

/** Plays on alone from an entry of a game that is over: bots take all other seats, at a table that no list shows. */
export async function playOn(session: api.Session, sequence: number, seat: number, level: string): Promise<void> {
  const from = location.pathname;
  const others = session.seats.filter((one) => one.seat !== seat);
  const table = await client.fork(session.name, sequence, {
    seats: session.seats.length,
    bots: Object.fromEntries(others.map((one) => [one.seat, one.level ?? level])),
  });
  await settle(from, table, session.game, lastName() || "Player", seat);
}
