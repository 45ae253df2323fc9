import type { api } from "skerry-client";

/** A variant that the form offers. The server decides which combinations are valid. */
export interface Variant {
  field: string;
  label: string;
  /** The choices. The first is the game's default, for which nothing is sent. */
  values: readonly { value: unknown; label: string }[];
  /** The number of seats that the variant is for. Absent: any number. */
  seats?: number;
}

/** The time controls that the form offers. The first is the default. */
export const CLOCKS: readonly { label: string; clock: api.ClockInput | undefined }[] = [
  { label: "none", clock: undefined },
  { label: "3 minutes each + 2 seconds per turn", clock: { bank: { timeMs: 180_000, incrementMs: 2_000 } } },
  { label: "30 seconds per turn", clock: { perMove: { timeMs: 30_000 } } },
  { label: "3 days per turn", clock: { correspondence: { days: 3 } } },
];

/** How long a player can be away before a bot takes over, in milliseconds. */
export const ABSENCE_MS = 120_000;

const no = { value: undefined, label: "no" };
const yes = { value: true, label: "yes" };

/** The variants of each game, by game id. */
export const VARIANTS: Readonly<Record<string, readonly Variant[]>> = {
  kreta: [],
  tenerife: [
    { field: "turbulent", label: "Turbulent variant: two colours and two thieves each", values: [no, yes], seats: 2 },
    {
      field: "transportSpaces",
      label: "Ships for exporters and merchants",
      values: [
        { value: undefined, label: "two" },
        { value: 3, label: "three" },
      ],
      seats: 3,
    },
    { field: "puertoFarmer", label: "Farmers can work in Puerto de la Cruz", values: [no, yes] },
  ],
  canarias: [
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
  small_islands: [
    {
      field: "mode",
      label: "Objectives",
      values: [
        { value: undefined, label: "one card with a mission and its reward" },
        { value: "MODE_ADVANCED", label: "two cards: combine a mission and a reward" },
      ],
    },
    {
      field: "startLayout",
      label: "Starting tiles",
      values: [
        { value: undefined, label: "standard layout" },
        { value: "START_LAYOUT_FREE", label: "laid by the first player" },
      ],
    },
  ],
};

/** A short description of each game, by game id. */
export const BLURBS: Readonly<Record<string, string>> = {
  kreta: "Send villagers, ships and an abbot across old Crete, and be the strongest where a fort is scored.",
  tenerife: "Lay characters face down, watch them act one after the other, and rob the character in front of yours.",
  canarias: "Settle your own island. Every settler wants the right neighbours, and pirates come by ship.",
  small_islands: "Lay tiles of sea and land, watch islands grow, and build houses where they meet your secret objective.",
};
