import type { api } from "skerry-client";
import type { FunctionComponent } from "preact";
import type { Choice, Way } from "../choice.js";

/** What a board is drawn from. Nothing else: a board is a function of one position, of what led to it, and of what is being chosen. */
export interface BoardProps<Board, View, Event = unknown> {
  board: Board;
  view: View;
  /** What has happened so far, in order. */
  events: readonly Event[];
  /** The viewer's seat. Absent for a spectator. */
  seat: number | undefined;
  /** What the seats are called, by number. */
  names: readonly string[];
  choice: Choice;
  onTouch: (at: string) => void;
}

/** One figure of a seat's panel: "Ships 2". */
export interface Fact {
  label: string;
  value: string;
}

/** Points that a seat gains at once, or loses. */
export interface Gain {
  seat: number;
  points: number;
  /** What for, as a short heading: all that is gained under one is added up. */
  source: string;
}

/** How news of a game are shown one by one, before the position that they lead to. It knows no rule either. */
export interface Telling<View, Event> {
  /**
   * Returns the view of a seat, or of a spectator, as an event changes it, as far as it says so. When the game is over,
   * events tell of all seats what before only their own knew.
   */
  after: (view: View, event: Event, seat: number | undefined) => View;
  /** For how many milliseconds the picture rests after it. 0: it is shown together with the next one. */
  rest: (event: Event) => number;
}

/** What a game adds to the table: how it is drawn, and how its moves are touched. It knows no rule. */
export interface GameUi<Board = unknown, View = unknown, Move = unknown, Event = unknown> {
  /** The case of this game in every union. */
  key: string;
  /** What the seat that is to act does now, after "Ada:". */
  task: (view: View, seat: number) => string;
  /** The ways in which a listed move can be touched, each an order of elements. */
  ways: (move: Move, text: string, board: Board, view: View) => readonly Way["steps"][];
  /** What the moves of a kind are headed with, by the name of the kind. */
  headings: Readonly<Record<string, string>>;
  /** Kinds that are asked for once more, because a slip would hurt. */
  grave: readonly string[];
  /** Points so far, per seat. */
  scores: (view: View) => number[];
  /** Which points an event gives or takes. Over a whole game these are all points that there are. */
  gains: (event: Event) => readonly Gain[];
  /** What a seat has, beside its points. */
  facts: (view: View, seat: number, board: Board) => Fact[];
  /** The rule that ranks seats of as many points. Absent: they share their rank. */
  tieRule?: string;
  /** Keys that work at this game alone: their names, and what they do. */
  keys?: readonly (readonly [readonly string[], string])[];
  /** Absent: a new position is shown at once. */
  telling?: Telling<View, Event>;
  Board: FunctionComponent<BoardProps<Board, View, Event>>;
}

const LOADERS: Readonly<Record<string, () => Promise<{ ui: unknown }>>> = {
  canarias: () => import("./canarias/ui.js"),
  kreta: () => import("./kreta/ui.js"),
  small_islands: () => import("./small_islands/ui.js"),
  tenerife: () => import("./tenerife/ui.js"),
};

/** Loads what draws a game. `undefined` for a game that this page does not draw: it is played by words. */
export async function loadUi(game: string): Promise<GameUi | undefined> {
  const load = LOADERS[game];
  return load && ((await load()).ui as GameUi);
}

/** Returns what a union of the games holds for a game. */
export function held(union: object, ui: GameUi): unknown {
  return (union as Record<string, unknown>)[ui.key];
}

/** Returns the ways to all listed moves. A game without a picture has one step a move: its words. */
export function waysTo(moves: readonly api.Move[], ui: GameUi | undefined, board: unknown, view: unknown): Way[] {
  return moves.flatMap((move, place): Way[] => {
    const own = ui && (held(move, ui) as Record<string, unknown> | undefined);
    const kind = own ? (Object.keys(own)[0] ?? "") : "";
    const ways = own ? ui.ways(own, move.text, board, view) : [];
    const worded = [[{ at: `move:${place}`, label: move.text }]];
    return (ways.length ? ways : worded).map((steps) => ({ move, kind, steps }));
  });
}
