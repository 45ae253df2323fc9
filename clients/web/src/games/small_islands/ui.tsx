import type { smallIslands } from "skerry-client";
import type { Step } from "../../selection.js";
import type { Fact, ScoreChange, GameUi } from "../ui.js";
import { SmallIslandsBoard } from "./Board.js";
import { missionOf, rewardOf } from "./Cards.js";
import { cellAt } from "./cells.js";
import { symbolName, tokenName } from "./symbols.js";
import { playback } from "./playback.js";
import "./small_islands.css";

type MoveSteps = readonly Step[][];

/** The task of the acting seat in each phase. */
const TASKS: Partial<Record<smallIslands.Phase, string>> = {
  PHASE_LAY_START: "lay the starting tiles",
  PHASE_CHOOSE_OBJECTIVE: "choose an objective for this round, and one to put aside for the next",
  PHASE_TURN: "take one of the open tiles, or land",
  PHASE_PICK_TILE: "choose which tile to lay",
  PHASE_LAY_TILE: "choose where to lay the tile",
  PHASE_CHOOSE_TOKEN: "use a bonus token, or none",
  PHASE_PLACE_TOKEN: "choose where to place the bonus token",
  PHASE_PLACE_HOUSES: "place houses on islands that meet your objective",
  PHASE_PICK_RESOURCE: "choose the resource that the house scores",
  PHASE_KEEP_DISCOVERY: "keep one of the discovery tokens",
};

function task(view: smallIslands.View): string {
  const canLand = view.navigationStack === 0;
  if (view.phase === "PHASE_TURN" && !canLand) return "take one of the open tiles";
  return TASKS[view.phase] ?? "one moment";
}

const TURNED = ["as it is", "turned once", "turned twice", "turned three times"];

function paths(move: smallIslands.Move, text: string, board: smallIslands.Board): MoveSteps {
  const one = (target: string): MoveSteps => [[{ target, label: text }]];
  const cell = (at: smallIslands.Cell): Step => ({ target: cellAt(at), label: `at (${at.x}, ${at.y})` });
  const turn = (turns: number): Step => ({ target: `turn:${turns}`, label: TURNED[turns] ?? "" });
  if ("chooseObjective" in move) return [objectiveSteps(move.chooseObjective, board)];
  if ("takeTile" in move) return one(`tile:${move.takeTile.tile}`);
  if ("pickTile" in move) return one(`tile:${move.pickTile.tile}`);
  if ("layTile" in move) return [[cell(move.layTile.at), turn(move.layTile.turns)]];
  if ("layStart" in move) {
    const { tile, at, turns } = move.layStart;
    return [[{ target: `tile:${tile}`, label: `lay tile ${tile}` }, cell(at), turn(turns)]];
  }
  if ("landShip" in move) {
    const { at, grey } = move.landShip;
    return [[{ target: grey ? "ship:grey" : "ship:own", label: `land with ${grey ? "a grey" : "your own"} ship` }, cell(at)]];
  }
  if ("takeToken" in move) {
    const { token, shows } = move.takeToken;
    const side = { target: `shows:${shows}`, label: `as a ${symbolName(shows)}` };
    return [[{ target: `token:${token}`, label: `use the ${tokenName(token)} token` }, side]];
  }
  if ("noToken" in move) return one("no-token");
  if ("placeToken" in move) {
    const { at, covers } = move.placeToken;
    return [[cell(at), ...(covers ? [{ target: `covers:${covers}`, label: `on a ${symbolName(covers)}` }] : [])]];
  }
  if ("placeHouse" in move) return one(cellAt(move.placeHouse.at));
  if ("stopBuilding" in move) return one("stop");
  if ("pickResource" in move) return one(`resource:${move.pickResource.resource}`);
  if ("keepDiscovery" in move) return one(`discovery:${move.keepDiscovery.value}`);
  return [];
}

/** Returns the steps of choosing an objective: first the cards for this round, then the cards put aside for the next. */
function objectiveSteps({ chosen, aside }: smallIslands.ChooseObjective, board: smallIslands.Board): Step[] {
  const said = (id: string): string => {
    const card = board.cards.find((one) => one.id === id);
    const halves = [card?.mission && missionOf(card.mission), card?.reward && rewardOf(card.reward, board)];
    return halves.filter(Boolean).join(": ");
  };
  return [
    ...chosen.map((id) => ({ target: `card:${id}`, label: `choose ${id} (${said(id)})` })),
    ...aside.map((id) => ({ target: `card:${id}`, label: `put ${id} aside (${said(id)})` })),
  ];
}

function facts(view: smallIslands.View, seat: number): Fact[] {
  const { tokens, housesAtHand, housesLeft, ship, ports, discoveryCount } = view.seats[seat]!;
  return [
    { label: "houses at hand", value: `${housesAtHand}` },
    { label: "in reserve", value: `${housesLeft}` },
    { label: "tokens", value: `${tokens.length}` },
    ...(ship ? [{ label: "ports at the ship", value: `${ports}` }] : []),
    ...(discoveryCount ? [{ label: "discoveries", value: `${discoveryCount}` }] : []),
  ];
}

/** The heading of each part of a reward. */
const SOURCES: Partial<Record<smallIslands.PartKind, string>> = {
  PART_KIND_FLOWER: "Flowers",
  PART_KIND_FRUIT: "Fruits",
  PART_KIND_LEAF: "Leaves",
  PART_KIND_TEMPLE: "Temples",
  PART_KIND_PORT: "Ports",
  PART_KIND_SCARCEST: "Scarcest resource",
  PART_KIND_SIZE: "Size of islands",
  PART_KIND_FIXED: "Fixed points",
};

function scoreChanges(event: smallIslands.Event): ScoreChange[] {
  if ("housePaid" in event) {
    const { seat, parts } = event.housePaid;
    return parts.map(({ kind, points }) => ({ seat, points, source: SOURCES[kind] ?? "Other rewards" }));
  }
  if (!("bonusScored" in event)) return [];
  const { seat, points, discoveries } = event.bonusScored;
  const found = discoveries.reduce((sum, value) => sum + value, 0);
  return [
    { seat, points: found, source: "Discoveries" },
    { seat, points: points - found, source: "Ports at the ship" },
  ];
}

/** Small Islands. */
export const ui: GameUi<smallIslands.Board, smallIslands.View, smallIslands.Move, smallIslands.Event> = {
  key: "smallIslands",
  tieBreakRule: "SMALL-TIE-1",
  task,
  paths,
  headings: {
    layStart: "Lay a starting tile",
    chooseObjective: "Choose an objective",
    takeTile: "Explore",
    landShip: "Land (this ends exploration for everyone)",
    pickTile: "Choose a tile from your hand",
    layTile: "Lay the tile",
    takeToken: "Use a bonus token",
    noToken: "Or none",
    placeToken: "Place the bonus token",
    placeHouse: "Place a house",
    stopBuilding: "Or stop",
    pickResource: "Pick a resource",
    keepDiscovery: "Keep a discovery token",
  },
  confirmKinds: ["chooseObjective", "landShip", "stopBuilding"],
  scores: (view) => view.seats.map(({ score }) => score),
  scoreChanges,
  facts,
  keys: [[["R"], "Turn the tile that you are laying"]],
  playback,
  Board: SmallIslandsBoard,
};
