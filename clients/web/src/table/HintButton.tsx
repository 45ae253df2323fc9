import type { api, Seat } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { errorMessage } from "../server.js";
import { t } from "../texts/texts.js";

interface HintButtonProps {
  seat: Seat;
  /** Identifies the position: a hint holds in one alone. */
  positionKey: string;
  /** Selects what leads to a move, so that the player sees it on the table. */
  propose: (move: api.Move) => void;
}

/** Asks what a strong player would do, selects it on the table, and says why. */
export function HintButton({ seat, positionKey, propose }: HintButtonProps): JSX.Element {
  const [hint, setHint] = useState({ positionKey: "", text: "" });
  const ask = async (): Promise<void> => {
    setHint({ positionKey, text: t("hint-thinking") });
    try {
      const { move, text } = await seat.hint();
      setHint((current) => (current.positionKey === positionKey ? { positionKey, text } : current));
      propose(move);
    } catch (error) {
      setHint((current) => (current.positionKey === positionKey ? { positionKey, text: errorMessage(error) } : current));
    }
  };
  const isShown = hint.positionKey === positionKey;
  return (
    <>
      {isShown && (
        <p class="hint small whole-line" role="status">
          {hint.text}
        </p>
      )}
      <button class="button quiet ask" disabled={isShown} onClick={ask}>
        <span class="wide-only">{t("hint-ask")}</span>
        <span class="narrow-only">{t("hint-short")}</span>
      </button>
    </>
  );
}
