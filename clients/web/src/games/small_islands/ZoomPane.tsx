import type { ComponentChildren, CSSProperties, JSX, RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** The zoom levels, relative to the size of the pane. */
const ZOOMS = [1, 1.5, 2.2, 3.2];

interface ZoomPaneProps {
  /** Shown below the table. */
  foot: ComponentChildren;
  /** Draws the table with a style that sets its size. */
  children: (style: CSSProperties) => JSX.Element;
}

/** A pane that shows the whole table, or an enlarged part that can be dragged. */
export function ZoomPane({ foot, children }: ZoomPaneProps): JSX.Element {
  const [zoom, setZoom] = useState(0);
  const sheet = useMiddle(zoom);
  const size = ZOOMS[zoom] ?? 1;
  return (
    <>
      <div class="sheet archipelago" tabIndex={0} role="group" aria-label="The table" ref={sheet} onPointerDown={drag}>
        {children({ width: `${size * 100}%`, maxHeight: size > 1 ? "none" : undefined })}
      </div>
      <div class="sheet-foot">
        {foot}
        <span class="zoom">
          <button class="button" aria-label="Smaller" disabled={zoom === 0} onClick={() => setZoom(zoom - 1)}>
            −
          </button>
          <button class="button" aria-label="Larger" disabled={zoom === ZOOMS.length - 1} onClick={() => setZoom(zoom + 1)}>
            +
          </button>
        </span>
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

/** Lets a mouse drag an enlarged table. Touch screens scroll without help. */
function drag(event: PointerEvent): void {
  const sheet = event.currentTarget as HTMLElement;
  if (event.pointerType !== "mouse" || event.button) return;
  const move = ({ movementX, movementY }: PointerEvent): void => sheet.scrollBy(-movementX, -movementY);
  const end = (): void => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
}
