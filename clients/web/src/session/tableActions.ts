import type { api, Seat, Table } from "skerry-client";
import { addedTo, storeSession, lastPlayerName, storePlayerName } from "../storage.js";
import { go } from "../router.js";
import { client, errorMessage } from "../server.js";
import { t } from "../texts/texts.js";

/** The settings of a new table. */
export interface TableSetup {
  game: string;
  seats: number;
  /** The level of each bot, by seat. */
  bots: Readonly<Record<number, string>>;
  options: Record<string, unknown>;
  /** Whether the lobby lists the table. */
  isListed: boolean;
  /** Whether joining requires a code. */
  hasCode: boolean;
  /** Whether players can take back their latest moves. */
  hasUndo: boolean;
  /** Whether players can ask what a strong player would do. Absent: they cannot. */
  hints?: boolean;
  /** The time control. Absent: no time limit. */
  clock?: api.ClockInput | undefined;
  /** What happens when players abandon the game. Absent: the server's defaults. */
  abandonment?: api.AbandonmentPolicyInput | undefined;
}

/** A player name that the server refused, and why. The table's form shows both. */
export interface RefusedName {
  name: string;
  refused: string;
}

/**
 * Creates a table, takes a seat, and opens the table's screen. Throws if the server refuses the table. If it refuses only
 * the name, the screen opens too, and the player can enter another name there.
 */
export async function createTable(setup: TableSetup, name: string): Promise<void> {
  const { game, seats, bots, options, clock, abandonment, hints } = setup;
  const from = location.pathname;
  const table = await client.create<string>(game, {
    ...{ seats, bots, options, clock, abandonment, hints },
    visibility: setup.isListed ? "public" : "unlisted",
    joinCode: setup.hasCode,
    ...(setup.hasUndo && { undo: "UNDO_POLICY_OWN_MOVES" }),
  });
  await settle(from, table, game, name);
}

/** Starts the lesson of a game, takes the learner's seat, and opens the table's screen. */
export async function startLesson(game: string, name: string): Promise<void> {
  const from = location.pathname;
  const table = await client.lesson(game);
  const { hostToken } = table;
  storeSession({ session: table.name, game, ...(hostToken && { hostToken }) });
  await takeSeat(table, game, name, { hasFixedChance: true });
  arrive(from, table.name);
}

async function settle(from: string, table: Table, game: string, name: string, seat?: number): Promise<void> {
  const { hostToken, joinCode } = table;
  storeSession({ session: table.name, game, ...(hostToken && { hostToken }), ...(joinCode && { joinCode }) });
  const refused = await takeSeat(table, game, name, { seat }).then(() => undefined, errorMessage);
  arrive(from, table.name, refused === undefined ? null : ({ name, refused } satisfies RefusedName));
}

/** Encodes bytes as the server's JSON has them. */
function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Opens a table's screen, unless the player has left the screen that asked for it. The lobby lists the table then. */
function arrive(from: string, session: string, state: object | null = null): void {
  if (location.pathname === from) go(`/${session}`, state);
}

/** How to take a seat. */
interface SeatOptions {
  /** Absent: the first open seat. */
  seat?: number | undefined;
  /** Whether the player can add nothing to the chance: the game has begun, or is a lesson. */
  hasFixedChance?: boolean;
}

/** Returns this player's share of the chance of a game: 32 random bytes. */
function newEntropy(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(32));
}

/** Takes a seat at a table, and stores its token, its entropy and the join code. Returns the token. */
export async function takeSeat(table: Table, game: string, name: string, { seat, hasFixedChance = false }: SeatOptions = {}): Promise<string> {
  const { commitment } = await table.session(); // Noted first: it must not change afterwards.
  const entropy = hasFixedChance ? undefined : newEntropy();
  const { token } = await table.join(name, { seat, entropy });
  const { joinCode } = table;
  const added = entropy && { entropy: base64(entropy), commitment };
  storeSession({ session: table.name, game, seatToken: token, ...added, ...(joinCode && { joinCode }) });
  storePlayerName(name);
  return token;
}

/** Returns a function that returns the table with the host's rights. */
export const hostOf =
  ({ name }: api.Session, hostToken: string | undefined): (() => Promise<Table>) =>
  () =>
    client.table(name, { hostToken });

/** Joins the rematch of a finished game, on the seat that is kept for this player. */
export async function joinRematch(seat: Seat, { game, joinCodeRequired }: api.Session): Promise<void> {
  const from = location.pathname;
  const sent = newEntropy();
  const { name, token, hostToken } = await seat.rematch({ entropy: sent });
  const entropy = addedTo(name)?.entropy ?? base64(sent); // A repeated call does not change it.
  const { joinCode } = joinCodeRequired && hostToken ? await client.table(name, { hostToken }) : {};
  storeSession({ session: name, game, seatToken: token, entropy, ...(hostToken && { hostToken }), ...(joinCode && { joinCode }) });
  arrive(from, name);
}

/** Continues a finished game from one of its entries, against bots of a level on all other seats, at an unlisted table. */
export async function forkGame(session: api.Session, sequence: number, seat: number, level: string): Promise<void> {
  const from = location.pathname;
  const others = session.seats.filter((one) => one.seat !== seat);
  const table = await client.fork(session.name, sequence, {
    seats: session.seats.length,
    bots: Object.fromEntries(others.map((one) => [one.seat, level])),
  });
  await settle(from, table, session.game, lastPlayerName() || t("player"), seat);
}
