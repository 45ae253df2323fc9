import type { GameExtras } from "./extras.js";
import { messageId } from "../texts/texts.js";

export const extras: GameExtras = {
  blurb: messageId("small-islands-blurb"),
  emblem: (
    <>
      <path class="tile" d="M14 6h22v22H14zM36 6h22v22H36zM14 28h22v20H14zM36 28h22v20H36z" />
      <path class="land" d="M25 17q11-8 22 2 2 14-10 20-16 0-12-22z" />
      <path class="ink" d="M31 34v-7l5-4 5 4v7z" />
    </>
  ),
  variants: [
    {
      field: "mode",
      label: messageId("small-islands-mode"),
      values: [
        { value: undefined, label: messageId("small-islands-mode-basic") },
        { value: "MODE_ADVANCED", label: messageId("small-islands-mode-advanced") },
      ],
    },
    {
      field: "startLayout",
      label: messageId("small-islands-start"),
      values: [
        { value: undefined, label: messageId("small-islands-start-standard") },
        { value: "START_LAYOUT_FREE", label: messageId("small-islands-start-free") },
      ],
    },
  ],
};
