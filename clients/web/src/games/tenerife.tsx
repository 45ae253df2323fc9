import type { GameExtras } from "./extras.js";

const no = { value: undefined, label: "no" };
const yes = { value: true, label: "yes" };

export const extras: GameExtras = {
  blurb: "Lay characters face down, watch them act one after the other, and rob the character in front of yours.",
  emblem: (
    <>
      <path class="land" d="M8 40q4-20 22-26 20-4 34 10 6 8-2 16z" />
      <path class="ink" d="M22 40V30l9-7 9 7v10M44 40V32l7-6 7 6v8" />
    </>
  ),
  variants: [
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
};
