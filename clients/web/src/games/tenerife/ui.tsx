import type { tenerife } from "skerry-client";
import type { Step } from "../../selection.js";
import type { Fact, ScoreChange, GameUi } from "../ui.js";
import { TenerifeBoard } from "./Board.js";
import { cardName } from "./characters.js";
import { playback } from "./playback.js";
import "./tenerife.css";

type MoveSteps = readonly Step[][];

/** The task of the acting seat in each phase. */
const TASKS: Partial<Record<tenerife.Phase, string>> = {
  PHASE_LAY: "choose a character, and the space to lay it below, face down",
  PHASE_CHOOSE_PLOT: "choose a plot of the Town Hall",
  PHASE_CHOOSE_TOWN: "choose the town where the thieves build",
  PHASE_CHOOSE_WAREHOUSE: "choose which goods to sell",
  PHASE_CHOOSE_DESTINATION: "choose where the merchant goes",
};

function task(view: tenerife.View): string {
  return TASKS[view.phase] ?? "one moment";
}

function paths(move: tenerife.Move, text: string): MoveSteps {
  const one = (target: string): MoveSteps => [[{ target, label: text }]];
  if ("lay" in move) return laySteps(move.lay);
  if ("buildElement" in move) return one(`plot:${move.buildElement.plot}`);
  if ("buildMansion" in move) return one(`place:${move.buildMansion.town}`);
  if ("export" in move) return one(`storage:${move.export.storage}`);
  if ("moveMerchant" in move) return one(`place:${move.moveMerchant.place}`);
  return [];
}

/** Returns the steps of laying a character: the card, then the space. */
function laySteps({ space, character, colour }: tenerife.Lay): MoveSteps {
  if (!character) return [];
  const card = { target: `hand:${character}/${colour}`, label: `lay ${article(character)}${cardName({ character, colour })}` };
  return [[card, { target: `space:${space}`, label: `below space ${space}` }]];
}

function article(character: tenerife.Character): string {
  return { CHARACTER_THIEVES: "", CHARACTER_EXPORTER: "an " }[character as string] ?? "a ";
}

function facts(view: tenerife.View, seat: number, board: tenerife.Board): Fact[] {
  const { mansions, merchant, cardsInHand } = view.seats[seat]!;
  const place = board.places.find(({ id }) => id === merchant)?.name;
  return [
    { label: "mansions left", value: `${mansions}` },
    { label: "cards", value: `${cardsInHand}` },
    ...(place ? [{ label: "merchant in", value: place }] : []),
  ];
}

/** Returns score changes. Points for acting in place of a robbed character count as the thieves' points. */
function scoreChanges(event: tenerife.Event): ScoreChange[] {
  const one = ({ seat, points, victim }: { seat: number; points: number; victim?: number }, source: string): ScoreChange[] => [
    { seat, points, source: victim === undefined ? source : "Thieves" },
  ];
  if ("mansionBuilt" in event) return one(event.mansionBuilt, "Mansions");
  if ("warehouseExported" in event) return one(event.warehouseExported, "Goods sold");
  if ("merchantMoved" in event) return one(event.merchantMoved, "Merchant");
  if ("merchantRobbed" in event) return one(event.merchantRobbed, "Thieves");
  if ("hallScored" in event) return one(event.hallScored, "Town Hall");
  return [];
}

/** Tenerife. */
export const ui: GameUi<tenerife.Board, tenerife.View, tenerife.Move, tenerife.Event> = {
  key: "tenerife",
  task,
  paths,
  headings: {
    lay: "Lay a character",
    buildElement: "Build in the Town Hall",
    buildMansion: "Build a mansion",
    export: "Sell goods",
    moveMerchant: "Move the merchant",
  },
  confirmKinds: [],
  scores: (view) => view.seats.map(({ score }) => score),
  scoreChanges,
  facts,
  playback,
  Board: TenerifeBoard,
};
