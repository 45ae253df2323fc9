import type { JSX } from "preact";
import { useState } from "preact/hooks";

interface ConfirmButtonProps {
  text: string;
  /** What the button asks after the first click, without a question mark. */
  sure: string;
  /** Both for screen readers, with the player it applies to. Absent: it applies to the user of the button. */
  spoken?: readonly [text: string, sure: string];
  onConfirm: () => void;
}

/** A button for an action that cannot be undone: the first click asks for a confirmation. A double click does not confirm. */
export function ConfirmButton({ text, sure, spoken, onConfirm }: ConfirmButtonProps): JSX.Element {
  const [isAsked, setAsked] = useState(false);
  return (
    <button
      class={isAsked ? "button aside-button now" : "button aside-button"}
      aria-label={spoken?.[Number(isAsked)]}
      onClick={({ detail }) => {
        if (isAsked && detail > 1) return; // `detail` counts clicks in a row. It is 0 for the keyboard.
        setAsked(!isAsked);
        if (isAsked) onConfirm();
      }}
      onBlur={() => setAsked(false)}
    >
      {isAsked ? `${sure}?` : text}
    </button>
  );
}
