import type { api } from "skerry-client";
import { createContext, type JSX, type RefObject } from "preact";
import { useContext, useEffect, useMemo, useState } from "preact/hooks";
import { listen } from "../listen.js";

/** The badges to show now, by the ids of their places and pieces. */
export type BadgesNow = ReadonlyMap<string, string>;

/** A context, so that pointing at a piece draws only badges again, and not the table. */
export const BadgesContext = createContext<BadgesNow>(new Map());

/** Returns the badges to show now: those that are always shown, or those of the piece that is pointed at or selected. */
export function useBadges(root: RefObject<HTMLElement | null>, annotations: readonly api.Annotation[], selected: readonly string[]): BadgesNow {
  const noted = useMemo(() => new Set(annotations.flatMap(({ of }) => of ?? [])), [annotations]);
  const pointed = usePointed(root, noted);
  const shown = pointed ?? selected.filter((id) => noted.has(id)).at(-1);
  return useMemo(() => badgesNow(annotations, shown), [annotations, shown]);
}

/** Returns the badges of the annotations of one piece, or of none: then those that are always shown. */
export function badgesNow(annotations: readonly api.Annotation[], of = ""): BadgesNow {
  return new Map(annotations.filter((one) => one.badge && (one.of ?? "") === of).map(({ id, badge }) => [id, badge]));
}

/** Returns which of some pieces has the pointer or the focus. */
function usePointed(root: RefObject<HTMLElement | null>, among: ReadonlySet<string>): string | undefined {
  const [pointed, setPointed] = useState<string>();
  useEffect(() => {
    const point = ({ target }: Event): void => {
      const id = (target as Element).closest("[data-id]")?.getAttribute("data-id");
      setPointed(id && among.has(id) ? id : undefined);
    };
    return listen(["pointerover", "pointerleave", "focusin"], point, root.current);
  }, [among]);
  return pointed !== undefined && among.has(pointed) ? pointed : undefined;
}

interface BadgesProps {
  places: readonly api.ScenePlace[];
  /** The pieces of the area. */
  pieces: readonly api.ScenePiece[];
  symbols: ReadonlyMap<string, api.SceneSymbol>;
}

/** The badges of the places and pieces of an area, above everything else. The titles of those have the sentences. */
export function Badges({ places, pieces, symbols }: BadgesProps): JSX.Element {
  const badges = useContext(BadgesContext);
  return (
    <g class="badges" aria-hidden="true">
      {places.map(({ id, x, y, badgeY }) => badges.has(id) && <BadgeAt key={id} text={badges.get(id)!} x={x} y={y + badgeY} />)}
      {pieces.map(({ id, x, y, symbol }) => badges.has(id) && <BadgeAt key={id} text={badges.get(id)!} x={x} y={y - (symbols.get(symbol)?.height ?? 0) / 2} />)}
    </g>
  );
}

function BadgeAt({ text, x, y }: { text: string; x: number; y: number }): JSX.Element {
  const width = 12 + 7 * text.length;
  return (
    <g transform={`translate(${x} ${y})`}>
      <g class="plate">
        <rect x={-width / 2} y={-9} width={width} height={18} rx={9} />
        <text y={5}>{text}</text>
      </g>
    </g>
  );
}
