import type { JSX } from "preact";
import type { Shortcuts } from "../shortcuts.js";
import type { PlacementPreviewProps } from "./small_islands/PlacementPreview.js";

/** What a game can add to its table, in `table.ts` of the folder of its name. The lobby does without. */
export interface TableExtras {
  /** A preview of what is being placed, drawn above the pieces of an area. */
  preview?: { area: string; Preview: (props: PlacementPreviewProps) => JSX.Element | null };
  /** Keys of this game only. */
  keys?: Shortcuts;
}

const FOUND = import.meta.glob<TableExtras>("./*/table.ts", { eager: true, import: "extras" });

/** Returns what a game adds to its table. Returns `undefined` for a game that adds nothing. */
export function tableExtrasOf(game: string): TableExtras | undefined {
  return FOUND[`./${game}/table.ts`];
}
