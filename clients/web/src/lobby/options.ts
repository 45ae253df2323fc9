import type { api } from "skerry-client";

/** What can be set up, in words. The server says what fits; here stands only what there is to choose from. */
export interface Setting {
  field: string;
  label: string;
  /** The first is the game's default: nothing is sent for it. */
  values: readonly { value: unknown; label: string }[];
  /** With how many seats it can be chosen. Absent: with any number. */
  seats?: number;
}

/** How the players' time can be measured, in words. The first is the default. */
export const CLOCKS: readonly { label: string; clock: api.ClockInput | undefined }[] = [
  { label: "none", clock: undefined },
  { label: "3 minutes each + 2 seconds per turn", clock: { bank: { timeMs: 180_000, incrementMs: 2_000 } } },
  { label: "30 seconds per turn", clock: { perMove: { timeMs: 30_000 } } },
  { label: "3 days per turn", clock: { correspondence: { days: 3 } } },
];

/** After how long a bot plays for who is away, where that is wanted; in milliseconds. */
export const ABSENCE_MS = 120_000;

const no = { value: undefined, label: "no" };
const yes = { value: true, label: "yes" };

/** The settings of each game, by its id. */
export const SETTINGS: Readonly<Record<string, readonly Setting[]>> = {
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

/** What each game is about, in one sentence. */
export const BLURBS: Readonly<Record<string, string>> = {
  kreta: "Send villagers, ships and an abbot across old Crete, and be the strongest where a fort is scored.",
  tenerife: "Lay characters face down, watch them act one after the other, and rob the character in front of yours.",
  canarias: "Settle your own island. Every settler wants the right neighbours, and pirates come by ship.",
  small_islands: "Lay tiles of sea and land, watch islands grow, and build houses where they meet your secret objective.",
};
