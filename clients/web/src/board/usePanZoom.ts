import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Point } from "./geometry.js";

/** How far a pointer moves before it drags, in pixels. A shorter movement is a click. */
const DRAG_BEGINS = 6;
/** The factor of one step of a mouse wheel, of a button or a key. */
export const ZOOM_STEP = 1.25;

/** What gestures do. Points are relative to the pane, in pixels. */
export interface Gestures {
  onPan: (dx: number, dy: number) => void;
  onZoom: (factor: number, at: Point) => void;
  /** A click or tap that ends no drag. */
  onTap: (event: MouseEvent) => void;
}

/** Reports what pointers and the wheel do in a pane: drag, pinch, wheel and tap. The click that ends a drag is no tap. */
export function usePanZoom(pane: RefObject<HTMLElement | null>, gestures: Gestures): void {
  const latest = useRef(gestures);
  useEffect(() => {
    latest.current = gestures;
  });
  useEffect(() => (pane.current ? follow(pane.current, () => latest.current) : undefined), []);
}

function follow(pane: HTMLElement, gestures: () => Gestures): () => void {
  const ending = new AbortController();
  const down = new Map<number, Point>();
  let [far, hasDragged] = [0, false];
  const on = <Name extends keyof HTMLElementEventMap>(name: Name, handle: (event: HTMLElementEventMap[Name]) => void, capture = false): void =>
    pane.addEventListener(name, handle, { signal: ending.signal, passive: false, capture });
  const inPane = ({ clientX, clientY }: MouseEvent): Point => {
    const { x, y } = pane.getBoundingClientRect();
    return { x: clientX - x, y: clientY - y };
  };
  const end = ({ pointerId }: PointerEvent): void => {
    down.delete(pointerId);
    if (!down.size) pane.classList.remove("dragged");
  };
  on("pointerdown", (event) => {
    if (event.button) return;
    if (!down.size) [far, hasDragged] = [0, false];
    down.set(event.pointerId, inPane(event));
  });
  on("pointermove", (event) => {
    const before = down.get(event.pointerId);
    if (!before) return;
    if (!event.buttons) return end(event); // released outside the pane
    const now = inPane(event);
    far += Math.hypot(now.x - before.x, now.y - before.y);
    if (far <= DRAG_BEGINS && down.size === 1) return void down.set(event.pointerId, now);
    if (!hasDragged) pane.setPointerCapture(event.pointerId);
    hasDragged = true;
    pane.classList.add("dragged");
    const [other] = [...down].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    down.set(event.pointerId, now);
    if (other) pinch(gestures(), before, now, other);
    else gestures().onPan(now.x - before.x, now.y - before.y);
  });
  on("pointerup", end);
  on("pointercancel", end);
  on("wheel", (event) => {
    event.preventDefault();
    const steps = event.deltaY / (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 100 : 3);
    gestures().onZoom(ZOOM_STEP ** -steps, inPane(event));
  });
  on("click", (event) => {
    const { target } = event;
    if (target instanceof Element && target.closest("button, [role=button]:not([data-id])")) return;
    if (hasDragged) event.stopPropagation();
    else gestures().onTap(event);
    hasDragged = false;
  }, true);
  return () => ending.abort();
}

function pinch({ onPan, onZoom }: Gestures, before: Point, now: Point, other: Point): void {
  const apart = (one: Point): number => Math.max(1, Math.hypot(one.x - other.x, one.y - other.y));
  onPan((now.x - before.x) / 2, (now.y - before.y) / 2);
  onZoom(apart(now) / apart(before), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
}
