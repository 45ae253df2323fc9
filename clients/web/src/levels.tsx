import type { JSX } from "preact";

/** Returns how a bot of a level plays, in words. A level that this page does not know goes by its name. */
export function manner(level: string): string {
  const [, positions] = /^mcts:(\d+)$/.exec(level) ?? [];
  if (positions) return `weighing ${Number(positions).toLocaleString("en")} positions`;
  return { random: "at random", greedy: "greedily" }[level] ?? level;
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
