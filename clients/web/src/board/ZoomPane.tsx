import type { ComponentChildren, JSX, RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** The zoom levels, relative to the size of the pane. */
const ZOOMS = [1, 1.5, 2.2, 3.2];

interface ZoomPaneProps {
  label: string;
  /** The picture. */
  children: ComponentChildren;
}

/** A pane that shows a whole picture, or an enlarged part of it that can be dragged. */
export function ZoomPane({ label, children }: ZoomPaneProps): JSX.Element {
  const [zoom, setZoom] = useState(0);
  const sheet = useMiddle(zoom);
  return (
    <>
      <div class="sheet whole" tabIndex={0} role="group" aria-label={label} ref={sheet} onPointerDown={drag} style={{ "--zoom": `${ZOOMS[zoom]}` }}>
        {children}
      </div>
      <div class="zoom">
        <button class="button" aria-label="Smaller" disabled={zoom === 0} onClick={() => setZoom(zoom - 1)}>
          −
        </button>
        <button class="button" aria-label="Larger" disabled={zoom === ZOOMS.length - 1} onClick={() => setZoom(zoom + 1)}>
          +
        </button>
      </div>
    </>
  );
}

/** Keeps the centre of the pane in place when the zoom changes. */
function useMiddle(zoom: number): RefObject<HTMLDivElement | null> {
  const sheet = useRef<HTMLDivElement>(null);
  const middle = useRef({ x: 0.5, y: 0.5 });
  useLayoutEffect(() => {
    const { current } = sheet;
    if (!current) return undefined;
    current.scrollTo(
      middle.current.x * current.scrollWidth - current.clientWidth / 2,
      middle.current.y * current.scrollHeight - current.clientHeight / 2,
    );
    const remember = (): void => {
      middle.current = {
        x: (current.scrollLeft + current.clientWidth / 2) / current.scrollWidth,
        y: (current.scrollTop + current.clientHeight / 2) / current.scrollHeight,
      };
    };
    current.addEventListener("scroll", remember);
    return () => current.removeEventListener("scroll", remember);
  }, [zoom]);
  return sheet;
}

/** How far a mouse moves before it drags, in pixels. */
const DRAG_BEGINS = 5;

/** Lets a mouse drag an enlarged picture. Touch screens scroll without help. The click that ends a drag selects nothing. */
function drag(event: PointerEvent): void {
  const sheet = event.currentTarget as HTMLElement;
  if (event.pointerType !== "mouse" || event.button) return;
  let far = 0;
  const move = ({ movementX, movementY }: PointerEvent): void => {
    far += Math.abs(movementX) + Math.abs(movementY);
    if (far > DRAG_BEGINS) sheet.scrollBy(-movementX, -movementY);
  };
  const swallow = (click: Event): void => click.stopPropagation();
  const end = (): void => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    if (far <= DRAG_BEGINS) return;
    addEventListener("click", swallow, { capture: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
}
