import type { api } from "skerry-client";
import type { FunctionComponent } from "preact";
import type { Selection, MovePath } from "../selection.js";

/** The complete input of a board: one position, the events before it, and the player's selection. */
export interface BoardProps<Board, View, Event = unknown> {
  board: Board;
  view: View;
  /** The events so far, in order. */
  events: readonly Event[];
  /** The viewer's seat. Absent for a spectator. */
  seat: number | undefined;
  /** The players' names, by seat. */
  names: readonly string[];
  selection: Selection;
  onSelect: (target: string) => void;
}

/** One figure in a seat's panel: "Ships 2". */
export interface Fact {
  label: string;
  value: string;
}

/** Points that a seat gains or loses in one event. */
export interface ScoreChange {
  seat: number;
  points: number;
  /** A short heading. Points under the same heading are added up. */
  source: string;
}

/** How the events between two positions are animated one by one. It contains no rules. */
export interface EventPlayback<View, Event> {
  /**
   * Applies what an event says to the view of a seat, or of a spectator. When the game is over, events can contain what was
   * hidden before.
   */
  apply: (view: View, event: Event, seat: number | undefined) => View;
  /** How long the view is shown after the event, in milliseconds. 0: the event is shown together with the next one. */
  durationMs: (event: Event) => number;
}

/** What a game adds to the page: its board, and how moves are selected on it. It contains no rules. */
export interface GameUi<Board = unknown, View = unknown, Move = unknown, Event = unknown> {
  /** The key of this game in every union. */
  key: string;
  /** Returns what the seat must do now. It follows "Ada:". */
  task: (view: View, seat: number) => string;
  /** Returns the paths that select a legal move on the board. */
  paths: (move: Move, text: string, board: Board, view: View) => readonly MovePath["steps"][];
  /** The heading of each kind of move. */
  headings: Readonly<Record<string, string>>;
  /** Kinds of moves that need a confirmation, because a mistake would be costly. */
  confirmKinds: readonly string[];
  /** Returns the points so far, by seat. */
  scores: (view: View) => number[];
  /** Returns the points that an event adds or removes. Over a whole game they add up to the final scores. */
  scoreChanges: (event: Event) => readonly ScoreChange[];
  /** Returns what a seat has besides its points. */
  facts: (view: View, seat: number, board: Board) => Fact[];
  /** The id of the rule that breaks ties. Absent: seats with equal points share a rank. */
  tieBreakRule?: string;
  /** Additional keys of this game: their names, and what they do. */
  keys?: readonly (readonly [readonly string[], string])[];
  /** Absent: new positions are shown without animation. */
  playback?: EventPlayback<View, Event>;
  Board: FunctionComponent<BoardProps<Board, View, Event>>;
}

/** The code of each game that has a board, in the file `ui.tsx` of its folder. */
const LOADERS = import.meta.glob("./*/ui.tsx", { import: "ui" });

/** Loads the code that draws a game. Returns `undefined` for a game without a board here: it is played from the list of moves. */
export async function loadUi(game: string): Promise<GameUi | undefined> {
  return (await LOADERS[`./${game}/ui.tsx`]?.()) as GameUi | undefined;
}

/** Returns a game's case of a union. */
export function forGame(union: object, ui: GameUi): unknown {
  return (union as Record<string, unknown>)[ui.key];
}

/** Returns the paths to all legal moves. Without a board, each move is one step. */
export function movePaths(moves: readonly api.Move[], ui: GameUi | undefined, board: unknown, view: unknown): MovePath[] {
  return moves.flatMap((move, place): MovePath[] => {
    const own = ui && (forGame(move, ui) as Record<string, unknown> | undefined);
    const kind = own ? (Object.keys(own)[0] ?? "") : "";
    const paths = own ? ui.paths(own, move.text, board, view) : [];
    const worded = [[{ target: `move:${place}`, label: move.text }]];
    return (paths.length ? paths : worded).map((steps) => ({ move, kind, steps }));
  });
}
