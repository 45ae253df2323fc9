import type { api } from "skerry-client";

/** Returns the text of a template with the players' names. */
export function filled({ text, template }: { text: string; template?: string }, names: readonly string[]): string {
  return template?.replace(/\{(\d+)\}/g, (whole, seat: string) => names[Number(seat)] ?? whole) ?? text;
}

/** Returns what is always worth knowing about places and pieces, by their ids. */
export function notesOf({ scene }: api.Position, names: readonly string[]): ReadonlyMap<string, string> {
  const notes = new Map<string, string>();
  for (const annotation of scene?.annotations ?? []) {
    const { id, of } = annotation;
    if (of) continue;
    notes.set(id, [notes.get(id), filled(annotation, names)].filter(Boolean).join(" "));
  }
  return notes;
}

/** Returns the names of all places and pieces, by their ids. */
export function labelsOf(areas: readonly api.SceneArea[], pieces: readonly api.ScenePiece[], symbols: ReadonlyMap<string, api.SceneSymbol>): ReadonlyMap<string, string> {
  const places = areas.flatMap((area) => area.places.map(({ id, label }) => [id, label] as const));
  const named = pieces.map(({ id, label, symbol }) => [id, label || (symbols.get(symbol)?.label ?? id)] as const);
  return new Map([...places, ...named]);
}
