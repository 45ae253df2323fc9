import type { smallIslands } from "skerry-client";
import type { Step } from "../../choice.js";
import type { Fact, Gain, GameUi } from "../ui.js";
import { SmallIslandsBoard } from "./Board.js";
import { missionOf, rewardOf } from "./Cards.js";
import { cellAt } from "./cells.js";
import { nameOf, tokenName } from "./symbols.js";
import { telling } from "./telling.js";
import "./small_islands.css";

type Ways = readonly Step[][];

/** What the acting seat does, by the phase. */
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

function ways(move: smallIslands.Move, text: string, board: smallIslands.Board): Ways {
  const one = (at: string): Ways => [[{ at, label: text }]];
  const cell = (at: smallIslands.Cell): Step => ({ at: cellAt(at), label: `at (${at.x}, ${at.y})` });
  const turn = (turns: number): Step => ({ at: `turn:${turns}`, label: TURNED[turns] ?? "" });
  if ("chooseObjective" in move) return [choosing(move.chooseObjective, board)];
  if ("takeTile" in move) return one(`tile:${move.takeTile.tile}`);
  if ("pickTile" in move) return one(`tile:${move.pickTile.tile}`);
  if ("layTile" in move) return [[cell(move.layTile.at), turn(move.layTile.turns)]];
  if ("layStart" in move) {
    const { tile, at, turns } = move.layStart;
    return [[{ at: `tile:${tile}`, label: `lay tile ${tile}` }, cell(at), turn(turns)]];
  }
  if ("landShip" in move) {
    const { at, grey } = move.landShip;
    return [[{ at: grey ? "ship:grey" : "ship:own", label: `land with ${grey ? "a grey" : "your own"} ship` }, cell(at)]];
  }
  if ("takeToken" in move) {
    const { token, shows } = move.takeToken;
    const side = { at: `shows:${shows}`, label: `as a ${nameOf(shows)}` };
    return [[{ at: `token:${token}`, label: `use the ${tokenName(token)} token` }, side]];
  }
  if ("noToken" in move) return one("no-token");
  if ("placeToken" in move) {
    const { at, covers } = move.placeToken;
    return [[cell(at), ...(covers ? [{ at: `covers:${covers}`, label: `on a ${nameOf(covers)}` }] : [])]];
  }
  if ("placeHouse" in move) return one(cellAt(move.placeHouse.at));
  if ("stopBuilding" in move) return one("stop");
  if ("pickResource" in move) return one(`resource:${move.pickResource.resource}`);
  if ("keepDiscovery" in move) return one(`discovery:${move.keepDiscovery.value}`);
  return [];
}

/** First what is chosen for this round, then what is put aside for the next. */
function choosing({ chosen, aside }: smallIslands.ChooseObjective, board: smallIslands.Board): Step[] {
  const said = (id: string): string => {
    const card = board.cards.find((one) => one.id === id);
    const halves = [card?.mission && missionOf(card.mission), card?.reward && rewardOf(card.reward, board)];
    return halves.filter(Boolean).join(": ");
  };
  return [
    ...chosen.map((id) => ({ at: `card:${id}`, label: `choose ${id} (${said(id)})` })),
    ...aside.map((id) => ({ at: `card:${id}`, label: `put ${id} aside (${said(id)})` })),
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

/** What a part of a reward is paid for. */
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

function gains(event: smallIslands.Event): Gain[] {
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
  tieRule: "SMALL-TIE-1",
  task,
  ways,
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
  grave: ["chooseObjective", "landShip", "stopBuilding"],
  scores: (view) => view.seats.map(({ score }) => score),
  gains,
  facts,
  keys: [[["R"], "Turn the tile that you are laying"]],
  telling,
  Board: SmallIslandsBoard,
};
