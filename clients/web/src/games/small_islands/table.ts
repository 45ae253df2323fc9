import { messageId } from "../../texts/texts.js";
import type { TableExtras } from "../tableExtras.js";
import { PlacementPreview } from "./PlacementPreview.js";

export const extras: TableExtras = {
  preview: { area: "table", Preview: PlacementPreview },
  keys: [[["R"], messageId("keys-rotate")]],
};
