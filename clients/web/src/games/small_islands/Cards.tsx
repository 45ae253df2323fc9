import type { smallIslands } from "skerry-client";
import type { JSX } from "preact";
import { SelectableCard, type SelectionControl } from "../../selectable.js";
import { Icon, symbolName } from "./symbols.js";

type Symbol = smallIslands.Symbol;

/** Returns the condition of a mission in words. */
export function missionOf({ kind, symbols }: smallIslands.Mission): string {
  const [first, second] = symbols;
  switch (kind) {
    case "MISSION_KIND_MORE":
      return `more ${symbolName(first!, 2)} than ${symbolName(second!, 2)}`;
    case "MISSION_KIND_HAS":
      return `at least ${counted(symbols)}`;
    case "MISSION_KIND_TWO_EQUAL":
      return "equal numbers of two resources";
    case "MISSION_KIND_EQUALS_ANOTHER":
      return `as many ${symbolName(first!, 2)} as another resource`;
    default:
      return "a mission";
  }
}

function counted(symbols: readonly Symbol[]): string {
  const kinds = [...new Set(symbols)].map((kind) => {
    const count = symbols.filter((one) => one === kind).length;
    return `${count} ${symbolName(kind, count)}`;
  });
  return kinds.join(" and ");
}

/** Returns the reward per house in words. */
export function rewardOf({ kind, symbols, plus }: smallIslands.Reward, board: smallIslands.Board): string {
  const more = plus ? `, plus ${plus}` : "";
  switch (kind) {
    case "REWARD_KIND_EACH":
      return `1 point per ${symbols.map((symbol) => symbolName(symbol)).join(" and per ")}${more}`;
    case "REWARD_KIND_LOWEST":
      return `2 points per symbol of the scarcest resource${more}`;
    case "REWARD_KIND_FLAT":
      return `${plus} points`;
    case "REWARD_KIND_SIZE":
      return `by island size: ${board.sizePoints.map(({ tiles, points }) => `${tiles}+ tiles ${points} points`).join(", ")}`;
    case "REWARD_KIND_PICK":
      return `1 point per symbol of a resource you pick${more}`;
    case "REWARD_KIND_DISCOVERY":
      return "a discovery token: draw one per temple, keep one";
    default:
      return "a reward";
  }
}

/** A mission as a formula of symbols. */
function MissionPicture({ kind, symbols }: smallIslands.Mission): JSX.Element {
  const between = kind === "MISSION_KIND_MORE" ? ">" : kind === "MISSION_KIND_HAS" ? "" : "=";
  if (!symbols.length) return <span class="formula">? {between} ?</span>;
  return (
    <span class="formula">
      {symbols.map((symbol, place) => (
        <span key={place}>
          {place > 0 && between} <Icon symbol={symbol} />
        </span>
      ))}
      {symbols.length === 1 && ` ${between} ?`}
    </span>
  );
}

interface ObjectiveProps {
  board: smallIslands.Board;
  id: string;
  /** The current use of the card: "for this round". */
  use?: string | undefined;
  control: SelectionControl;
}

/** An objective card: its mission, and the reward per house. */
export function ObjectiveCard({ board, id, use, control }: ObjectiveProps): JSX.Element | null {
  const card = board.cards.find((one) => one.id === id);
  if (!card) return null;
  const mission = card.mission && missionOf(card.mission);
  const reward = card.reward && rewardOf(card.reward, board);
  const label = `Card ${id}${use ? `, ${use}` : ""}: ${[mission, reward].filter(Boolean).join("; each house pays ")}`;
  return (
    <SelectableCard target={`card:${id}`} class="objective" label={label} {...control}>
      <span class="soft small">
        {id}
        {use && ` · ${use}`}
      </span>
      {card.mission && (
        <>
          <MissionPicture {...card.mission} />
          <strong class="small">{mission}</strong>
        </>
      )}
      {reward && <span class="pays small">{reward}</span>}
    </SelectableCard>
  );
}
