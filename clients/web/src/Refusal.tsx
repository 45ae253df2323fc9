import type { JSX } from "preact";

/** Why the server refused a call, beside the button that made it. */
export function Refusal({ text }: { text: string }): JSX.Element | null {
  return text ? (
    <p class="refusal" role="alert">
      {text}
    </p>
  ) : null;
}
