import type { JSX } from "preact";

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
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  );
}
