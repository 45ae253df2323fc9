import type { api } from "skerry-client";
import { h, type RefObject, render } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Fold, foldedPoint } from "./folding.js";
import type { Point } from "./geometry.js";
import { type Journey, journeysOf, type Turn, TURN_MS, turnsOf } from "./journeys.js";
import { Face } from "./PieceView.js";

type Piece = api.ScenePiece;

/** How a piece travels. */
const TRAVEL = { duration: 240, easing: "ease-out" } as const;

/**
 * Lets the pieces inside an element travel from where they were before. Pieces that come from nowhere fade in. Pieces that
 * show another side turn.
 */
export function useTravel(root: RefObject<HTMLElement | null>, pieces: readonly Piece[], symbols: ReadonlyMap<string, api.SceneSymbol>): void {
  const known = useRef(pieces);
  const turning = useRef<Animation[]>([]);
  useLayoutEffect(() => {
    const before = known.current;
    known.current = pieces;
    for (const animation of turning.current) animation.finish(); // also when the player skips them
    turning.current = [];
    if (!root.current || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const journey of journeysOf(before, pieces)) travel(root.current, journey);
    turning.current = turnsOf(before, pieces).flatMap((one) => turn(root.current!, one, symbols.get(one.before.symbol)));
  }, [pieces]);
}

/** Turns a piece from the side that it showed before, which covers it until half of the turn. */
function turn(root: HTMLElement, { piece, before, delay }: Turn, symbol: api.SceneSymbol | undefined): Animation[] {
  const element = elementOf(root, piece);
  if (!element || !symbol) return [];
  const front = [...element.children];
  const back = element.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "g"));
  render(h(Face, { symbol, owner: before.owner }), back);
  const half = { duration: delay + TURN_MS / 2 };
  const hiding = front.map((part) => part.animate([{ opacity: 0 }, { opacity: 0 }], half));
  const lying = transformOf(pointIn(root, piece, piece.area) ?? piece, piece.rotation);
  const [open, closed] = [{ transform: lying }, { transform: `${lying} scaleX(0)` }];
  const covering = back.animate([{}, {}], half);
  covering.onfinish = () => back.remove();
  return [element.animate([open, closed, open], { duration: TURN_MS, delay }), covering, ...hiding];
}

function elementOf(root: HTMLElement, { id }: Piece): Element | null {
  return root.querySelector(`.piece[data-id="${CSS.escape(id)}"]`);
}

function travel(root: HTMLElement, { piece, from }: Journey): void {
  const element = elementOf(root, piece);
  const origin = from && pointIn(root, from, piece.area);
  if (from && origin) {
    const turn = ((((from.rotation - piece.rotation) % 360) + 540) % 360) - 180; // the shorter way
    element?.animate([{ transform: transformOf(origin, piece.rotation + turn) }, {}], TRAVEL);
  } else element?.animate([{ opacity: 0 }, {}], TRAVEL);
}

function transformOf({ x, y }: Point, rotation: number): string {
  return `translate(${x}px, ${y}px) rotate(${rotation}deg)`;
}

/** Returns where a piece lies in the coordinates of another area, as both areas are drawn now. */
function pointIn(root: HTMLElement, piece: Piece, other: string): Point | undefined {
  const [from, to] = [piece.area, other].map((id) => root.querySelector<SVGSVGElement>(`svg[data-area="${CSS.escape(id)}"]`));
  if (!from) return undefined;
  const fold = from.dataset["fold"];
  const { x, y } = fold === undefined ? piece : foldedPoint(piece, JSON.parse(fold) as Fold);
  if (from === to) return { x, y };
  const [drawn, wanted] = [from.getScreenCTM(), to?.getScreenCTM()];
  return drawn && wanted ? new DOMPoint(x, y).matrixTransform(drawn).matrixTransform(wanted.inverse()) : undefined;
}
