import type { JSX } from "preact";
import { useState } from "preact/hooks";

interface ConfirmButtonProps {
  verb: string;
  /** The player it applies to, for screen readers. Absent: the user of the button. */
  object?: string;
  onConfirm: () => void;
}

/** A button for an action that cannot be undone: the first click asks for a confirmation. */
export function ConfirmButton({ verb, object, onConfirm }: ConfirmButtonProps): JSX.Element {
  const [isAsked, setAsked] = useState(false);
  const label = isAsked ? `Really ${verb.toLowerCase()}` : verb;
  return (
    <button
      class={isAsked ? "button aside-button now" : "button aside-button"}
      aria-label={object === undefined ? undefined : `${label} ${object}${isAsked ? "?" : ""}`}
      onClick={() => (isAsked ? onConfirm() : setAsked(true))}
      onBlur={() => setAsked(false)}
    >
      {isAsked ? `${label}?` : label}
    </button>
  );
}
