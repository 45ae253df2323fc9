import type { api, Table } from "skerry-client";
import { keep, rememberName } from "../keep.js";
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
  leavers?: api.LeaversInput | undefined;
  labels?: Record<string, string>;
}

/** What whoever makes a table under a name that is refused finds there: the form, as it was. */
export interface Unseated {
  name: string;
  refused: string;
}

/**
 * Makes a table, sits down at it, in that seat or the first open one, and goes there. Throws what the server refuses;
 * if that is the name alone, it goes there all the same, and the name can be given again.
 */
export async function makeTable(setup: Setup, name: string, seat?: number): Promise<void> {
  const { game, seats, bots, options, clock, leavers, labels } = setup;
  const table = await client.create<string>(game, {
    ...{ seats, bots, options, clock, leavers, labels },
    visibility: setup.isListed ? "public" : "unlisted",
    joinCode: setup.hasCode,
  });
  const { hostToken, joinCode } = table;
  keep({ session: table.name, game, ...(hostToken && { hostToken }), ...(joinCode && { joinCode }) });
  const refused = await sitDown(table, game, name, seat).then(() => undefined, sentence);
  go(`/${table.name}`, refused === undefined ? null : ({ name, refused } satisfies Unseated));
}

/** Sits down at a table, and keeps the seat and the code that it took. Returns the seat's token. */
export async function sitDown(table: Table, game: string, name: string, seat?: number): Promise<string> {
  const { token } = await table.join(name, { seat });
  const { joinCode } = table;
  keep({ session: table.name, game, seatToken: token, ...(joinCode && { joinCode }) });
  rememberName(name);
  return token;
}

/** The label by which those who played find the table at which they can play again. */
const REMATCH = "rematch";

/** Returns the table at which a game is played again, if somebody has made one that can be found. */
export async function rematchOf({ name, game }: api.Session, signal?: AbortSignal): Promise<api.Session | undefined> {
  const label = `${REMATCH}=${name.replace("sessions/", "")}`;
  for await (const session of client.sessions({ game, state: "lobby", label, signal })) return session;
  return undefined;
}

/**
 * Plays a game again: goes to the table that somebody has made for it, or makes one. Everything is as it was, but who
 * begins is drawn anew and everybody moves on by a seat.
 */
export async function playAgain(session: api.Session, name: string, seat: number | undefined): Promise<void> {
  const made = await rematchOf(session);
  if (made) return go(`/${made.name}`);
  const seats = session.seats.length;
  // Who was played for in the end, and wants to play again, sits down; where others were, bots stay.
  const bots = session.seats.filter((one) => one.occupant === "OCCUPANT_BOT" && one.seat !== seat).slice(0, seats - 1);
  const moved = (old: number): number => (old + 1) % seats;
  const setup = {
    ...{ game: session.game, seats, options: optionsOf(session) },
    bots: Object.fromEntries(bots.map((bot) => [moved(bot.seat), bot.level ?? ""])),
    isListed: session.visibility === "VISIBILITY_PUBLIC",
    hasCode: session.joinCodeRequired,
    clock: session.clock as api.ClockInput | undefined, // of a newer server's kinds too: it is sent back as it was
    leavers: session.leavers,
    labels: { [REMATCH]: session.name.replace("sessions/", "") },
  };
  await makeTable(setup, name, seat === undefined ? undefined : moved(seat));
}

/** Returns the options of a session, without the seat that began it: the next game draws it anew. */
function optionsOf(session: api.Session): Record<string, unknown> {
  const [options] = Object.values<object>(session.options);
  const { startSeat: _, ...others } = (options ?? {}) as Record<string, unknown>;
  return others;
}
