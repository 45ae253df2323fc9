import type { tenerife } from "skerry-client";
import type { Step } from "../../choice.js";
import type { Fact, Gain, GameUi } from "../ui.js";
import { TenerifeBoard } from "./Board.js";
import { nameOf } from "./characters.js";
import { telling } from "./telling.js";
import "./tenerife.css";

type Ways = readonly Step[][];

/** What the acting seat does, by the phase. */
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

function ways(move: tenerife.Move, text: string): Ways {
  const one = (at: string): Ways => [[{ at, label: text }]];
  if ("lay" in move) return laying(move.lay);
  if ("buildElement" in move) return one(`plot:${move.buildElement.plot}`);
  if ("buildMansion" in move) return one(`place:${move.buildMansion.town}`);
  if ("export" in move) return one(`storage:${move.export.storage}`);
  if ("moveMerchant" in move) return one(`place:${move.moveMerchant.place}`);
  return [];
}

/** Laying takes two touches: the card, and the space. */
function laying({ space, character, colour }: tenerife.Lay): Ways {
  if (!character) return [];
  const card = { at: `hand:${character}/${colour}`, label: `lay ${article(character)}${nameOf({ character, colour })}` };
  return [[card, { at: `space:${space}`, label: `below space ${space}` }]];
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

/** Whatever is done in the place of a robbed character is told of the thieves. */
function gains(event: tenerife.Event): Gain[] {
  const one = ({ seat, points, victim }: { seat: number; points: number; victim?: number }, source: string): Gain[] => [
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
  ways,
  headings: {
    lay: "Lay a character",
    buildElement: "Build in the Town Hall",
    buildMansion: "Build a mansion",
    export: "Sell goods",
    moveMerchant: "Move the merchant",
  },
  grave: [],
  scores: (view) => view.seats.map(({ score }) => score),
  gains,
  facts,
  telling,
  Board: TenerifeBoard,
};
