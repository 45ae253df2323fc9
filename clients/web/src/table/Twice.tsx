import type { JSX } from "preact";
import { useState } from "preact/hooks";

interface TwiceProps {
  verb: string;
  /** Whom it befalls, if that is not whoever presses it. */
  whom?: string;
  onDo: () => void;
}

/** A button for what cannot be taken back: it asks once, in its place. */
export function Twice({ verb, whom, onDo }: TwiceProps): JSX.Element {
  const [isAsked, setAsked] = useState(false);
  const label = isAsked ? `Really ${verb.toLowerCase()}` : verb;
  return (
    <button
      class={isAsked ? "button aside-button now" : "button aside-button"}
      aria-label={whom === undefined ? undefined : `${label} ${whom}${isAsked ? "?" : ""}`}
      onClick={() => (isAsked ? onDo() : setAsked(true))}
      onBlur={() => setAsked(false)}
    >
      {isAsked ? `${label}?` : label}
    </button>
  );
}
