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
export function strengthOf(level: string): string {
  return STRENGTHS[level] ?? level;
}

/** Returns the preselected level: the weakest one above random moves. `levels` is ordered from weak to strong. */
export function defaultLevel(levels: readonly string[]): string {
  return levels[1] ?? levels[0] ?? "";
}

interface LevelSelectProps {
  label: string;
  levels: readonly string[];
  level: string;
  onChange: (level: string) => void;
}

/** A select box for the strength of bots. */
export function LevelSelect({ label, levels, level, onChange }: LevelSelectProps): JSX.Element {
  return (
    <label>
      {label}
      <select value={level} onChange={(event) => onChange(event.currentTarget.value)}>
        {levels.map((one) => (
          <option key={one} value={one}>
            {strengthOf(one)}
          </option>
        ))}
      </select>
    </label>
  );
}
