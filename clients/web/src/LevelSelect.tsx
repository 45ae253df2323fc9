import type { JSX } from "preact";
import { messageId, t } from "./texts/texts.js";

/** Returns the preselected level: the weakest one above random moves. `levels` is ordered from weak to strong. */
export function defaultLevel(levels: readonly string[]): string {
  return levels[1] ?? levels[0] ?? "";
}

const NAMES: Readonly<Record<string, string>> = {
  random: messageId("level-random"),
  easy: messageId("level-easy"),
  medium: messageId("level-medium"),
  hard: messageId("level-hard"),
  expert: messageId("level-expert"),
};

/** Returns the name of a level. Levels that a newer server added have none: it is their id. */
export function levelName(level: string): string {
  const name = NAMES[level];
  return name === undefined ? level : t(name);
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
            {levelName(one)}
          </option>
        ))}
      </select>
    </label>
  );
}
