import type { ComponentChildren, CSSProperties, JSX, RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** How much larger than the sheet the table can be. */
const ZOOMS = [1, 1.5, 2.2, 3.2];

interface SheetProps {
  /** What stands below the table. */
  foot: ComponentChildren;
  /** Draws the table: with a style that makes it as large as is wanted. */
  children: (style: CSSProperties) => JSX.Element;
}

/** What the table lies on. It fits in, or can be made larger, and is dragged then. */
export function Sheet({ foot, children }: SheetProps): JSX.Element {
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

/** Keeps what is in the middle of a sheet there when what lies on it becomes larger or smaller. */
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

/** Lets a mouse drag a table that is larger than its sheet; fingers do so by themselves. */
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
