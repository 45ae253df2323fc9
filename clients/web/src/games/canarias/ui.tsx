import type { canarias } from "skerry-client";
import type { Step } from "../../selection.js";
import type { Fact, ScoreChange, GameUi } from "../ui.js";
import { CanariasBoard } from "./Board.js";
import { hueOf, kindOf } from "./symbols.js";
import { playback } from "./playback.js";

type MoveSteps = readonly Step[][];

/** The task of the acting seat in each phase. */
const TASKS: Partial<Record<canarias.Phase, string>> = {
  PHASE_TAKE_ISLAND: "take an island",
  PHASE_BUILD_OR_DRAW: "play a settler to build a house, or draw cards",
  PHASE_LOAD: "put a card face down on the ship",
  PHASE_GIVE_UP: "choose the house that you lose to the pirate",
  PHASE_DIVERT: "choose which player the pirate robs instead",
};

function task({ phase, piece, colour }: canarias.View): string {
  const thing = piece ? kindOf(piece) : "house";
  if (phase === "PHASE_COLOUR") return `choose the colour of the ${thing}`;
  if (phase === "PHASE_PLACE") return `choose a square for the ${colour ? `${hueOf(colour)} ` : ""}${thing}`;
  return TASKS[phase] ?? "one moment";
}

function paths(move: canarias.Move, text: string, board: canarias.Board, view: canarias.View): MoveSteps {
  const one = (target: string): MoveSteps => [[{ target, label: text }]];
  if ("takeIsland" in move) return one(`island:${move.takeIsland.island}`);
  if ("build" in move) return one(`hand:${move.build.card}`);
  if ("load" in move) return one(`hand:${move.load.card}`);
  if ("draw" in move) return one("deck");
  if ("takeExtra" in move) return one(`colour:${extraOf(board, view)}`);
  if ("chooseColour" in move) return one(`colour:${hueOf(move.chooseColour.colour)}`);
  if ("place" in move) return one(`square:${move.place.square}`);
  if ("giveUp" in move) return one(`square:${move.giveUp.square}`);
  if ("divert" in move) return one(`seat:${move.divert.seat}`);
  if ("buildPalace" in move) return orders(move.buildPalace.squares).map((squares) => material(squares, view));
  if ("buildTown" in move) return orders(move.buildTown.squares).map((squares) => material(squares, view));
  return [];
}

/** Returns the colour of the privilege that gives an extra card. */
function extraOf(board: canarias.Board, view: canarias.View): string {
  const place = board.powers.indexOf("POWER_CARD");
  return hueOf(view.privileges[place]?.colour ?? "COLOUR_UNSPECIFIED");
}

/** Returns the steps that select the houses of a palace or town. */
function material(squares: readonly string[], view: canarias.View): Step[] {
  const { buildings = [] } = view.seats[view.actingSeat ?? 0] ?? {};
  return squares.map((square, place) => {
    const colour = buildings.find((one) => one.square === square)?.colour ?? "COLOUR_UNSPECIFIED";
    const label = `the ${hueOf(colour)} house on ${square}`;
    return { target: `square:${square}`, label: place ? `and ${label}` : `from ${label}` };
  });
}

/** Returns all orders of a list: the houses of a palace can be selected in any order. */
function orders(things: readonly string[]): string[][] {
  if (!things.length) return [[]];
  return things.flatMap((first, place) => orders(things.filter((_, other) => other !== place)).map((rest) => [first, ...rest]));
}

function facts(view: canarias.View, seat: number): Fact[] {
  const { hand, buildings } = view.seats[seat]!;
  const count = (piece: canarias.Piece): string => `${buildings.filter((one) => one.piece === piece).length}`;
  return [
    { label: "cards", value: `${hand}` },
    { label: "houses", value: count("PIECE_HOUSE") },
    { label: "palaces", value: count("PIECE_PALACE") },
    { label: "towns", value: count("PIECE_TOWN") },
  ];
}

/** Returns score changes. A palace or town takes over the points of the houses it replaces. */
function scoreChanges(event: canarias.Event): ScoreChange[] {
  const grown = ({ seat, points, material }: canarias.PalaceBuilt | canarias.TownBuilt, source: string): ScoreChange[] => [
    { seat, points: -material.length, source: "Houses" },
    { seat, points: points + material.length, source },
  ];
  if ("housePlaced" in event) return [{ seat: event.housePlaced.seat, points: 1, source: "Houses" }];
  if ("palaceBuilt" in event) return grown(event.palaceBuilt, "Palaces");
  if ("townBuilt" in event) return grown(event.townBuilt, "Towns");
  if ("houseGivenUp" in event) return [{ seat: event.houseGivenUp.seat, points: -1, source: "Lost to pirates" }];
  return [];
}

/** Islas Canarias. */
export const ui: GameUi<canarias.Board, canarias.View, canarias.Move, canarias.Event> = {
  key: "canarias",
  task,
  paths,
  headings: {
    takeIsland: "Take an island",
    build: "Build a house",
    draw: "Draw instead of building",
    takeExtra: "Use a privilege",
    buildPalace: "Palace or town: choose the houses it replaces",
    buildTown: "Palace or town: choose the houses it replaces",
    load: "Put a card on the ship",
    chooseColour: "Choose a colour",
    place: "Choose a square",
    giveUp: "Give up a house",
    divert: "Send the pirate elsewhere",
  },
  confirmKinds: ["takeIsland", "buildPalace", "buildTown"],
  scores: (view) => view.seats.map(({ score }) => score),
  scoreChanges,
  facts,
  playback,
  Board: CanariasBoard,
};
