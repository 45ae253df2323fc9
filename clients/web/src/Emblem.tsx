import type { JSX } from "preact";
import { extrasOf } from "./games/extras.js";

/** The emblem of a game without a drawing of its own: an island. */
const ISLAND = <path class="land" d="M10 42q6-16 18-20t12-8 12 10 12 18z" />;

/** A game's emblem. */
export function Emblem({ game }: { game: string }): JSX.Element {
  return (
    <svg class="emblem" viewBox="0 0 72 54" aria-hidden="true">
      {extrasOf(game)?.emblem ?? ISLAND}
      <path class="wave" d="M4 49q5-4 10 0t10 0 10 0 10 0 10 0 10 0" />
    </svg>
  );
}
