import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Point } from "../board/geometry.js";
import { seatColour } from "../seatMarks.js";
import type { Flight } from "./flights.js";

/** How points fly: at first they stay, so that the player sees where they come from. */
const FLIGHT = { duration: 450, easing: "cubic-bezier(0.6, 0, 0.6, 1)", fill: "forwards" } as const;

/** From one part of the points to the next, while the score counts up, in milliseconds. */
const COUNT_MS = 30;

interface FlyingPointsProps {
  flight: Flight;
  /** Adds another part of the points to the score. */
  onCount: (key: string) => void;
}

/** Points on their way to the score of a seat, which precedes this element. */
export function FlyingPoints({ flight: { key, seat, points, touched, aside }, onCount }: FlyingPointsProps): JSX.Element {
  const root = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const element = root.current!;
    let timer: ReturnType<typeof setInterval>;
    const land = (): void => {
      element.hidden = true;
      timer = setInterval(() => onCount(key), COUNT_MS);
    };
    const from = originOf(touched);
    const to = middleOf(element.parentElement!.querySelector(".score")!);
    // Measured before the pieces begin to travel: points come from where they will be.
    const flight = from && element.animate([{ transform: at(from, aside, 1.2) }, { transform: at(to, 0, 1) }], FLIGHT);
    if (flight) flight.onfinish = land;
    else land();
    return () => {
      flight?.cancel(); // otherwise it lands although nothing shows it any more
      clearInterval(timer);
    };
  }, []);
  return (
    <span class="flight figures" aria-hidden="true" ref={root} style={{ borderColor: seatColour(seat) }}>
      {points > 0 ? `+${points}` : `−${-points}`}
    </span>
  );
}

/** Returns the middle of the first of some places and pieces that the player can see. */
function originOf(ids: readonly string[]): Point | undefined {
  for (const id of ids) {
    const element = document.querySelector(`.pane [data-id="${CSS.escape(id)}"]`);
    if (!element) continue;
    const middle = middleOf(element.querySelector(":scope > :is(.reach, .edge)") ?? element);
    const { left, right, top, bottom } = element.closest(".pane")!.getBoundingClientRect();
    if (middle.x > left && middle.x < right && middle.y > top && middle.y < bottom) return middle;
  }
  return undefined;
}

function middleOf(element: Element): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/** Returns the transformation to a point, and so many widths aside from it. */
function at({ x, y }: Point, aside: number, scale: number): string {
  return `translate(${x}px, ${y}px) scale(${scale}) translate(${aside * 100 - 50}%, -50%)`;
}
