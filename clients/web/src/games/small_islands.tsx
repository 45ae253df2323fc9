import type { GameExtras } from "./extras.js";
import { PlacementPreview } from "./small_islands/PlacementPreview.js";

export const extras: GameExtras = {
  blurb: "Lay tiles of sea and land, watch islands grow, and build houses where they meet your secret objective.",
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
  preview: { area: "table", Preview: PlacementPreview },
  keys: [[["R"], "Turn the tile that you are laying"]],
};
