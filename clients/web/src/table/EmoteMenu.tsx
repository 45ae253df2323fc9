import type { api, Seat } from "skerry-client";
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { EMOTES, emoteText } from "./emotes.js";
import { t } from "../texts/texts.js";
import { Refusal } from "../Refusal.js";
import { useAttempt } from "../useAttempt.js";

interface EmoteMenuProps {
  seat: Seat;
  /** Whether the game has begun. */
  isInPlay: boolean;
}

/** A button that shows what the player can say to the table. Escape closes it. */
export function EmoteMenu({ seat, isInPlay }: EmoteMenuProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { refused, attempt } = useAttempt();
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const say = (emote: api.Emote): void => {
    close();
    attempt(() => seat.emote(emote));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !isOpen) return;
    event.stopPropagation(); // it would take back the selection, too
    close();
  };
  return (
    <div class="emote-menu" onKeyDown={onKeyDown}>
      <button class="button aside-button" ref={button} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t("emote-say")}
      </button>
      {isOpen && (
        <div class="emotes" role="group" aria-label={t("emote-group")}>
          {EMOTES.map(
            (emote) =>
              (isInPlay || emote !== "EMOTE_GOOD_GAME") && (
                <button key={emote} class="button" onClick={() => say(emote)}>
                  {emoteText(emote)}
                </button>
              ),
          )}
        </div>
      )}
      <Refusal text={refused} />
    </div>
  );
}

/** What a player has just said, beside the seat. Screen readers announce it. */
export function EmoteBubble({ text }: { text: string | undefined }): JSX.Element {
  return (
    <span class="emote" aria-live="polite">
      {text}
    </span>
  );
}
