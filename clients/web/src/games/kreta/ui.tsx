import type { kreta } from "skerry-client";
import type { Step } from "../../selection.js";
import type { Fact, ScoreChange, GameUi } from "../ui.js";
import { KretaBoard } from "./Board.js";
import { CARDS } from "./Cards.js";

type MoveSteps = readonly Step[][];

/** The task of the acting seat in each phase. */
const TASKS: Partial<Record<kreta.Phase, string>> = {
  PHASE_PLAY_CARD: "play a card",
  PHASE_MARCH: "march on, or stop",
  PHASE_KEEP_OR_REPLACE: "keep the new fort card, or replace it",
};

/** The task of the acting seat in the action of each card. */
const ACTIONS: Partial<Record<kreta.Card, string>> = {
  CARD_ARCHITECT: "choose where to build a fort or a village",
  CARD_ADMIRAL: "place a ship, or sail",
  CARD_COMMANDER: "place a villager, or march",
  CARD_ABBOT: "choose where the abbot goes",
  CARD_FARMER: "choose which tile to harvest",
};

function task(view: kreta.View): string {
  return TASKS[view.phase] ?? (view.action && ACTIONS[view.action]) ?? "one moment";
}

function paths(move: kreta.Move, text: string, board: kreta.Board): MoveSteps {
  const name = (id: string): string => board.provinces.find((one) => one.id === id)?.name ?? id;
  const to = (id: string): Step => ({ target: `province:${id}`, label: `to ${name(id)}` });
  const from = (id: string): Step => ({ target: `province:${id}`, label: `from ${name(id)}` });
  const one = (target: string): MoveSteps => [[{ target, label: text }]];
  if ("playCard" in move) return playCardSteps(move.playCard);
  if ("placeShip" in move) return one(`province:${move.placeShip.harbour}`);
  if ("recruit" in move) return one(`province:${move.recruit.province}`);
  if ("placeAbbot" in move) return one(`province:${move.placeAbbot.province}`);
  if ("harvest" in move) return one(`province:${move.harvest.province}`);
  if ("buildVillage" in move) return one(`province:${move.buildVillage.province}`);
  if ("moveAbbot" in move) return one(`province:${move.moveAbbot.toProvince}`);
  if ("buildFort" in move) return one(`fort:${move.buildFort.space}`);
  if ("keepFort" in move) return one(`fort-card:${move.keepFort.number}`);
  if ("march" in move) return [[from(move.march.fromProvince), to(move.march.toProvince)]];
  if ("sail" in move) {
    const legs = move.sail.ways.map(({ fromHarbour, toHarbour }) => [from(fromHarbour), to(toHarbour)]);
    return legs.length < 2 ? [legs.flat()] : [legs.flat(), [...legs].reverse().flat()];
  }
  return [];
}

/** Returns the steps of playing a card. A king takes two: the king, and the card it acts as. */
function playCardSteps({ card, copied }: kreta.PlayCard): MoveSteps {
  const first = { target: `hand:${card}`, label: `play the ${CARDS[card]?.name}` };
  return copied ? [[first, { target: `table:${copied}`, label: `as the ${CARDS[copied]?.name}` }]] : [[first]];
}

function facts(view: kreta.View, seat: number): Fact[] {
  const { supply, hand, harvested } = view.seats[seat]!;
  const tiles = harvested.reduce((sum, { count }) => sum + count, 0);
  return [
    { label: "cards", value: `${hand.length}` },
    { label: "villagers", value: `${supply.villagers}` },
    { label: "villages", value: `${supply.villages}` },
    { label: "forts", value: `${supply.forts}` },
    { label: "ships", value: `${supply.ships}` },
    { label: "harvest", value: `${tiles}` },
  ];
}

function scoreChanges(event: kreta.Event): ScoreChange[] {
  if ("tileHarvested" in event) {
    const { seat, points } = event.tileHarvested;
    return [{ seat, points, source: "Harvests" }];
  }
  if (!("provinceScored" in event)) return [];
  const { awards, influence } = event.provinceScored;
  const most = Math.max(...influence);
  const source = (seat: number): string => (influence[seat] === most ? "Most influence" : "Second-most influence");
  return awards.map((points, seat) => ({ seat, points, source: source(seat) }));
}

/** Kreta. */
export const ui: GameUi<kreta.Board, kreta.View, kreta.Move, kreta.Event> = {
  key: "kreta",
  task,
  paths,
  headings: {
    playCard: "Play a card",
    placeShip: "Place a ship",
    sail: "Sail",
    recruit: "Place a villager",
    march: "March",
    halt: "Stop",
    placeAbbot: "Place the abbot",
    moveAbbot: "Move the abbot",
    harvest: "Harvest",
    buildFort: "Build a fort",
    buildVillage: "Build a village",
    keepFort: "The new fort card",
    replaceFort: "The new fort card",
  },
  confirmKinds: [],
  scores: (view) => view.seats.map(({ score }) => score),
  scoreChanges,
  facts,
  Board: KretaBoard,
};
