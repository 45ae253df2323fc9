import type { JSX } from "preact";

const DRAWINGS: Readonly<Record<string, JSX.Element>> = {
  kreta: (
    <>
      <path class="land" d="M6 34q6-9 16-7t18-3 20 1 12 9q-4 6-16 5t-20 3-20-1-10-7z" />
      <path class="ink" d="M34 26V13h3v3h3v-3h4v3h3v-3h3v13" />
    </>
  ),
  tenerife: (
    <>
      <path class="land" d="M8 40q4-20 22-26 20-4 34 10 6 8-2 16z" />
      <path class="ink" d="M22 40V30l9-7 9 7v10M44 40V32l7-6 7 6v8" />
    </>
  ),
  canarias: (
    <>
      <path class="land" d="M10 22q8-8 16-4t4 12-14 6-6-14zM42 34q8-10 18-6t4 12-16 2-6-8z" />
      <path class="ink" d="M36 10v14M36 12q10 2 9 11h-9M30 26h16l-4 5h-9z" />
    </>
  ),
  small_islands: (
    <>
      <path class="tile" d="M14 6h22v22H14zM36 6h22v22H36zM14 28h22v20H14zM36 28h22v20H36z" />
      <path class="land" d="M25 17q11-8 22 2 2 14-10 20-16 0-12-22z" />
      <path class="ink" d="M31 34v-7l5-4 5 4v7z" />
    </>
  ),
};

/** A game's emblem. */
export function Emblem({ game }: { game: string }): JSX.Element {
  return (
    <svg class="emblem" viewBox="0 0 72 54" aria-hidden="true">
      {DRAWINGS[game]}
      <path class="wave" d="M4 49q5-4 10 0t10 0 10 0 10 0 10 0 10 0" />
    </svg>
  );
}
