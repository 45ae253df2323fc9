import type { api } from "skerry-client";
import type { JSX } from "preact";
import { levelName } from "../LevelSelect.js";
import { t } from "../texts/texts.js";

/** Says that a seat's player is away, or that a substitute plays the seat. Empty while the player is present. */
export function SeatStatus({ seat: { away, substitute, level } }: { seat: api.Seat }): JSX.Element | null {
  if (!away && !substitute) return null;
  return (
    <span class="presence small">
      <svg class="mark" viewBox="-10 -10 20 20" width="16" height="16" aria-hidden="true">
        <path d="M-4-7H4V7H-4ZM1 0V1M-8 7H8" />
      </svg>
      {substitute ? describeSubstitute(substitute, level) : t("away")}
    </span>
  );
}

function describeSubstitute({ cause, open }: api.Substitute, level: string | undefined): string {
  return t("substitute", { cause, level: level === undefined ? "none" : levelName(level), seat: open ? "open" : "taken" });
}
