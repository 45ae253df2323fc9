import type { JSX } from "preact";

/** The strength of each level that servers offer, in words. */
const STRENGTHS: Readonly<Record<string, string>> = {
  random: "random moves",
  greedy: "easy",
  "mcts:50": "medium",
  "mcts:200": "hard",
  "mcts:1000": "expert",
};

/** Returns the strength of a bot in words. A level that this page does not know keeps its name. */
export function manner(level: string): string {
  return STRENGTHS[level] ?? level;
}

/** The level that is proposed: of those that the server offers, from weak to strong, the first that thinks. */
export function proposed(levels: readonly string[]): string {
  return levels[1] ?? levels[0] ?? "";
}

interface LevelChoiceProps {
  label: string;
  levels: readonly string[];
  level: string;
  onChange: (level: string) => void;
}

/** Lets the level of bots be chosen. */
export function LevelChoice({ label, levels, level, onChange }: LevelChoiceProps): JSX.Element {
  return (
    <label>
      {label}
      <select value={level} onChange={(event) => onChange(event.currentTarget.value)}>
        {levels.map((one) => (
          <option key={one} value={one}>
            {manner(one)}
          </option>
        ))}
      </select>
    </label>
  );
}
