import type { GameExtras } from "./extras.js";
import { messageId } from "../texts/texts.js";

const no = { value: undefined, label: messageId("no") };
const yes = { value: true, label: messageId("yes") };

export const extras: GameExtras = {
  blurb: messageId("tenerife-blurb"),
  emblem: (
    <>
      <path class="land" d="M8 40q4-20 22-26 20-4 34 10 6 8-2 16z" />
      <path class="ink" d="M22 40V30l9-7 9 7v10M44 40V32l7-6 7 6v8" />
    </>
  ),
  variants: [
    { field: "turbulent", label: messageId("tenerife-turbulent"), values: [no, yes], seats: 2 },
    {
      field: "transportSpaces",
      label: messageId("tenerife-ships"),
      values: [
        { value: undefined, label: messageId("tenerife-two") },
        { value: 3, label: messageId("tenerife-three") },
      ],
      seats: 3,
    },
    { field: "puertoFarmer", label: messageId("tenerife-farmer"), values: [no, yes] },
  ],
};
