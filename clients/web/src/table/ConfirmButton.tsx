import type { JSX } from "preact";
import { useState } from "preact/hooks";

interface ConfirmButtonProps {
  verb: string;
  /** The player it applies to, for screen readers. Absent: the user of the button. */
  object?: string;
  onConfirm: () => void;
}

/** A button for an action that cannot be undone: the first click asks for a confirmation. A double click does not confirm. */
export function ConfirmButton({ verb, object, onConfirm }: ConfirmButtonProps): JSX.Element {
  const [isAsked, setAsked] = useState(false);
  const label = isAsked ? `Really ${verb.toLowerCase()}` : verb;
  return (
    <button
      class={isAsked ? "button aside-button now" : "button aside-button"}
      aria-label={object === undefined ? undefined : `${label} ${object}${isAsked ? "?" : ""}`}
      onClick={({ detail }) => {
        if (!isAsked) setAsked(true);
        else if (detail < 2) onConfirm(); // `detail` counts clicks in a row. It is 0 for the keyboard.
      }}
      onBlur={() => setAsked(false)}
    >
      {isAsked ? `${label}?` : label}
    </button>
  );
}
