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
  { label: "as long as you like", clock: undefined },
  { label: "3 minutes each, and 2 seconds a turn", clock: { bank: { timeMs: 180_000, incrementMs: 2_000 } } },
  { label: "30 seconds a turn", clock: { perMove: { timeMs: 30_000 } } },
  { label: "3 days a turn", clock: { correspondence: { days: 3 } } },
];

/** After how long a bot plays for who is away, where that is wanted; in milliseconds. */
export const ABSENCE_MS = 120_000;

const no = { value: undefined, label: "no" };
const yes = { value: true, label: "yes" };

/** The settings of each game, by its id. */
export const SETTINGS: Readonly<Record<string, readonly Setting[]>> = {
  kreta: [],
  tenerife: [
    { field: "turbulent", label: "Turbulent: two thieves and two colours each", values: [no, yes], seats: 2 },
    {
      field: "transportSpaces",
      label: "Ships for exporters and merchants",
      values: [
        { value: undefined, label: "two" },
        { value: 3, label: "three" },
      ],
      seats: 3,
    },
    { field: "puertoFarmer", label: "Farmers in Puerto de la Cruz too", values: [no, yes] },
  ],
  canarias: [
    {
      field: "islands",
      label: "Islands",
      values: [
        { value: undefined, label: "each player chooses" },
        { value: "ISLANDS_DEAL", label: "dealt" },
      ],
    },
    {
      field: "deck",
      label: "Settlers",
      values: [
        { value: undefined, label: "54 different ones" },
        { value: "DECK_TRIPLES", label: "18 different ones, three times each" },
      ],
    },
  ],
  small_islands: [
    {
      field: "mode",
      label: "Objectives",
      values: [
        { value: undefined, label: "one card: mission and reward" },
        { value: "MODE_ADVANCED", label: "two cards: combine mission and reward" },
      ],
    },
    {
      field: "startLayout",
      label: "First islands",
      values: [
        { value: undefined, label: "as printed" },
        { value: "START_LAYOUT_FREE", label: "laid by the first player" },
      ],
    },
  ],
};

/** What each game is about, in one sentence. */
export const BLURBS: Readonly<Record<string, string>> = {
  kreta: "Send villagers, ships and an abbot over old Crete, and be there when the forts are scored.",
  tenerife: "Lay characters face down in a street, watch them act in turn, and rob whoever stands in front of you.",
  canarias: "Settle your own island: every settler wants a place with the right neighbours, and pirates come by ship.",
  small_islands: "Lay sea and land, watch islands grow together, and build houses where they fulfil your secret objective.",
};
