import type { api } from "skerry-client";

/** The rounds of a knockout or a Swiss tournament, with the place of each table. */
export interface Bracket {
  /** The tables of each round, without its play-offs. */
  rounds: BracketTable[][];
  /** The height of the picture, in pixels. */
  height: number;
}

/** A table of a round. */
export interface BracketTable {
  rows: BracketRow[];
  /** How a tie was decided, or that it is played off. Empty: there was none. */
  note: "" | "play-off" | "lot";
  /** The distance from the top of the picture, in pixels. */
  top: number;
}

/** A player at a table. */
export interface BracketRow {
  /** `TournamentEntrant.number`. 0: not known yet. */
  entrant: number;
  /** The share of opponents that were beaten. Absent: no game counts. */
  share?: number;
  advances: boolean;
  /** The earlier table from which the player comes: its round, and its place in the round. */
  from?: readonly [round: number, table: number] | undefined;
}

export const ROW_PX = 30;
/** The least distance between tables. A note has room there. */
const GAP_PX = 24;

/** Returns the bracket of a tournament with at least one round, with the tables of a knockout that are still to come. */
export function bracketOf({ tournament, rounds: complete, currentRound }: api.GetTournamentResponse): Bracket {
  const isKnockout = tournament.format === "TOURNAMENT_FORMAT_KNOCKOUT";
  const rounds = stagesOf([...complete, ...(currentRound ? [currentRound] : [])]);
  if (isKnockout) {
    rounds.forEach((tables, round) => tables.forEach(({ rows }) => rows.forEach((row) => (row.from = sourceOf(row.entrant, rounds, round)))));
    if (tournament.state !== "TOURNAMENT_STATE_CANCELLED") addComing(rounds, tournament);
  }
  return { rounds, height: layOut(rounds) };
}

/** Whether an entrant of a knockout sat at a table from which another one advances. */
export function hasLost({ rounds }: api.GetTournamentResponse, entrant: number): boolean {
  return rounds.some(({ tables }) => tables.some(({ entrants, advances }) => advances > 0 && advances !== entrant && entrants.includes(entrant)));
}

/** Returns the tables of each round. Play-offs become notes. */
function stagesOf(rounds: readonly api.TournamentRound[]): BracketTable[][] {
  const stages: BracketTable[][] = [];
  for (const { playoff, tables } of rounds) {
    if (!playoff) stages.push(tables.map(tableOf));
    else for (const { entrants, shares } of tables) noteOn(stages.at(-1) ?? [], entrants, shares);
  }
  return stages;
}

function tableOf({ entrants, shares, advances }: api.TournamentTable): BracketTable {
  const rows = entrants.map((entrant, at) => {
    const share = shares[at] ?? -1;
    return { entrant, advances: entrant === advances, ...(share >= 0 && { share }) };
  });
  return { rows, note: advances && isTied(shares) ? "lot" : "", top: 0 };
}

/** Notes a play-off at its table. If it was tied, too, and no other follows, the lot has decided. */
function noteOn(stage: readonly BracketTable[], entrants: readonly number[], shares: readonly number[]): void {
  const table = stage.find(({ rows }) => entrants.every((one) => rows.some(({ entrant }) => entrant === one)));
  if (table) table.note = isTied(shares) && table.rows.some(({ advances }) => advances) ? "lot" : "play-off";
}

function isTied(shares: readonly number[]): boolean {
  return shares.filter((share) => share === Math.max(...shares)).length > 1;
}

/** Returns the last table of a player before a round. */
function sourceOf(entrant: number, rounds: readonly BracketTable[][], before: number): BracketRow["from"] {
  for (let round = before - 1; round >= 0; round--) {
    const table = rounds[round]!.findIndex(({ rows }) => rows.some((row) => row.entrant === entrant));
    if (table >= 0) return [round, table];
  }
  return undefined;
}

/** Adds the rounds of a knockout that have not begun: players without a table come first, then the best of each table. */
function addComing(rounds: BracketTable[][], { entrants, seats }: api.Tournament): void {
  let left = entrants.map(({ number }): BracketRow => ({ entrant: number, advances: false }));
  for (let round = 0; ; round++) {
    const tables = rounds[round] ?? tablesOf(left, seats);
    rounds[round] = tables;
    const met = new Set(tables.flatMap(({ rows }) => rows));
    const numbers = new Set([...met].map(({ entrant }) => entrant).filter(Boolean));
    const byes = left.filter((row) => !met.has(row) && !numbers.has(row.entrant));
    const best = tables.map(({ rows }, table): BracketRow => ({ entrant: rows.find(({ advances }) => advances)?.entrant ?? 0, advances: false, from: [round, table] }));
    left = [...byes, ...best];
    if (left.length < 2) return;
  }
}

/** Returns as many full tables as possible; one table of all players if they are too few. */
function tablesOf(left: readonly BracketRow[], seats: number): BracketTable[] {
  const count = Math.max(1, Math.floor(left.length / seats));
  return Array.from({ length: count }, (_, table) => ({ rows: left.slice(table * seats, (table + 1) * seats), note: "", top: 0 }));
}

/** Places each table in the middle of those from which its players come. Returns the height. */
function layOut(rounds: readonly BracketTable[][]): number {
  const bottoms = rounds.map(() => 0);
  const placed = new Set<BracketTable>();
  const place = (round: number, at: number): BracketTable => {
    const table = rounds[round]![at]!;
    if (placed.has(table)) return table;
    placed.add(table);
    const sources = table.rows.flatMap(({ from }) => (from ? [place(...from)] : []));
    const middles = sources.map(({ top, rows }) => top + (ROW_PX * rows.length) / 2);
    const height = ROW_PX * table.rows.length;
    const wanted = middles.length ? middles.reduce((sum, one) => sum + one, 0) / middles.length - height / 2 : 0;
    table.top = Math.max(wanted, bottoms[round]!);
    bottoms[round] = table.top + height + GAP_PX;
    return table;
  };
  for (let round = rounds.length - 1; round >= 0; round--) rounds[round]!.forEach((_, at) => place(round, at));
  return Math.max(...bottoms);
}
