import type { GameExtras } from "./extras.js";

export const extras: GameExtras = {
  blurb: "Settle your own island. Every settler wants the right neighbours, and pirates come by ship.",
  emblem: (
    <>
      <path class="land" d="M10 22q8-8 16-4t4 12-14 6-6-14zM42 34q8-10 18-6t4 12-16 2-6-8z" />
      <path class="ink" d="M36 10v14M36 12q10 2 9 11h-9M30 26h16l-4 5h-9z" />
    </>
  ),
  variants: [
    {
      field: "islands",
      label: "Islands",
      values: [
        { value: undefined, label: "each player chooses" },
        { value: "ISLANDS_DEAL", label: "dealt at random" },
      ],
    },
    {
      field: "deck",
      label: "Settlers",
      values: [
        { value: undefined, label: "54 different cards" },
        { value: "DECK_TRIPLES", label: "18 different cards, three of each" },
      ],
    },
  ],
};
