import type { GameExtras } from "./extras.js";
import { messageId } from "../texts/texts.js";

export const extras: GameExtras = {
  blurb: messageId("canarias-blurb"),
  emblem: (
    <>
      <path class="land" d="M10 22q8-8 16-4t4 12-14 6-6-14zM42 34q8-10 18-6t4 12-16 2-6-8z" />
      <path class="ink" d="M36 10v14M36 12q10 2 9 11h-9M30 26h16l-4 5h-9z" />
    </>
  ),
  variants: [
    {
      field: "islands",
      label: messageId("canarias-islands"),
      values: [
        { value: undefined, label: messageId("canarias-islands-chosen") },
        { value: "ISLANDS_DEAL", label: messageId("canarias-islands-dealt") },
      ],
    },
    {
      field: "deck",
      label: messageId("canarias-deck"),
      values: [
        { value: undefined, label: messageId("canarias-deck-single") },
        { value: "DECK_TRIPLES", label: messageId("canarias-deck-triples") },
      ],
    },
  ],
};
