import type { api } from "skerry-client";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Point } from "./geometry.js";
import { type Journey, journeysOf } from "./journeys.js";

type Piece = api.ScenePiece;

/** How a piece travels. */
const TRAVEL = { duration: 240, easing: "ease-out" } as const;

/** Lets the pieces inside an element travel from where they were before. Pieces that come from nowhere fade in. */
export function useTravel(root: RefObject<HTMLElement | null>, pieces: readonly Piece[]): void {
  const known = useRef(pieces);
  useLayoutEffect(() => {
    const before = known.current;
    known.current = pieces;
    if (!root.current || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const journey of journeysOf(before, pieces)) travel(root.current, journey);
  }, [pieces]);
}

function travel(root: HTMLElement, { piece, from }: Journey): void {
  const element = root.querySelector(`.piece[data-id="${CSS.escape(piece.id)}"]`);
  const origin = from && pointIn(root, from, piece.area);
  if (from && origin) {
    const turn = ((((from.rotation - piece.rotation) % 360) + 540) % 360) - 180; // the shorter way
    const [first, last] = [transformOf(origin, piece.rotation + turn), transformOf(piece, piece.rotation)];
    element?.animate([{ transform: first }, { transform: last }], TRAVEL);
  } else element?.animate([{ opacity: 0 }, {}], TRAVEL);
}

function transformOf({ x, y }: Point, rotation: number): string {
  return `translate(${x}px, ${y}px) rotate(${rotation}deg)`;
}

/** Returns where a piece lies in the coordinates of another area, as both areas are drawn now. */
function pointIn(root: HTMLElement, { area, x, y }: Piece, other: string): Point | undefined {
  if (area === other) return { x, y };
  const [from, to] = [area, other].map((id) => root.querySelector<SVGSVGElement>(`svg[data-area="${CSS.escape(id)}"]`)?.getScreenCTM());
  return from && to ? new DOMPoint(x, y).matrixTransform(from).matrixTransform(to.inverse()) : undefined;
}
