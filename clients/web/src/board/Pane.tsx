import type { api } from "skerry-client";
import type { JSX, RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { tableExtrasOf } from "../games/tableExtras.js";
import { PlayerName } from "../text.js";
import { AreaView, openTargets, type TableDrawing } from "./AreaView.js";
import type { Size } from "./geometry.js";
import { CAPTION, type LaidArea, layOut, type Layout, type PaneAreas, shownInHand, shownOnBoard } from "./layOut.js";
import { nearestTarget } from "./nearestTarget.js";
import { fit, pan, reveal, type Target, TOUCH, type View, zoom } from "./panZoom.js";
import { targetsIn, targetsOnScreen } from "./targets.js";
import { usePanZoom, ZOOM_STEP } from "./usePanZoom.js";
import { t } from "../texts/texts.js";

interface PaneProps extends PaneAreas {
  /** The id of the game. */
  game: string;
  /** All pieces of the table. */
  pieces: readonly api.ScenePiece[];
  table: TableDrawing;
  /** What the pane holds. Of a hand, only the part with cards and pieces is shown. */
  kind: "board" | "hand";
  /** What a tap on a place or a piece that cannot be selected does. */
  onExplain: (target: string) => void;
  /** What a tap beside everything does. */
  onBeside: () => void;
}

const NO_TARGETS: readonly Target[] = [];

/** The least side of a touch area in pixels, for fingers and for mice. */
function leastTouch(): number {
  return matchMedia("(pointer: coarse)").matches ? TOUCH : 24;
}

/** Areas in one drawing, which pans and zooms. What can be selected moves into view by itself. */
export function Pane(props: PaneProps): JSX.Element {
  const { game, areas, spare, pieces, table, kind, onBeside, onExplain } = props;
  const { symbols, control } = table;
  const pane = useRef<HTMLDivElement>(null);
  const size = useSize(pane);
  const open = useMemo(() => openTargets(control), [control.selection]);
  const isSelecting = control.selection.targets.length > 0;
  const room = useSteadySize(size, isSelecting);
  const layout = useMemo(() => {
    const [lying, caption] = [{ pieces, symbols, open }, areas.length > 1 ? CAPTION : 0];
    return layOut({ areas, spare }, (area) => (kind === "hand" ? shownInHand(area, lying, caption) : [shownOnBoard(area, lying)]), room);
  }, [areas, spare, pieces, symbols, open, room]);
  const { view, isFitted, change } = useView({ pane, layout, size, open, isSelecting });
  const onTap = (event: MouseEvent): void => {
    const id = tapped(event, pane.current!);
    const dark = id === undefined ? (event.target as Element).closest("[data-id]")?.getAttribute("data-id") : undefined;
    if (id !== undefined) control.onSelect(id);
    else if (dark) onExplain(dark);
    else onBeside();
  };
  usePanZoom(pane, {
    onPan: (dx, dy) => change((from) => pan(from, dx, dy, layout.content, size)),
    onZoom: (factor, at) => change((from) => zoom(from, factor, at, layout.content, size)),
    onTap,
  });
  const zoomBy = (factor: number): void => change((from) => zoom(from, factor, { x: size.width / 2, y: size.height / 2 }, layout.content, size));
  const least = leastTouch() / view.auto.scale;
  // Not drawn again while the view changes: only the transformation of the drawing does.
  const drawing = useMemo(() => <Drawing {...{ game, layout, pieces, table, least }} scale={view.auto.scale} />, [game, layout, pieces, table, least]);
  const { x, y, scale } = view.shown;
  return (
    <>
      <div class={`pane ${kind}`} ref={pane}>
        <div class="drawing" style={{ transform: `translate(${x}px, ${y}px) scale(${scale})` }}>
          {drawing}
        </div>
      </div>
      {kind === "board" && <ZoomButtons {...{ isFitted, zoomBy }} onFit={() => change(undefined)} />}
    </>
  );
}

/** The buttons that zoom, above the board, so that they cover nothing. */
function ZoomButtons({ isFitted, zoomBy, onFit }: { isFitted: boolean; zoomBy: (factor: number) => void; onFit: () => void }): JSX.Element {
  return (
    <div class="zoom">
      {!isFitted && (
        <button class="button" onClick={onFit}>
          {t("board-fit")}
        </button>
      )}
      <button class="button step" aria-label={t("board-smaller")} disabled={isFitted} onClick={() => zoomBy(1 / ZOOM_STEP)}>
        −
      </button>
      <button class="button step" aria-label={t("board-larger")} onClick={() => zoomBy(ZOOM_STEP)}>
        +
      </button>
    </div>
  );
}

/** Returns the target that a click means: the element that was hit, or the nearest one whose touch area was. */
function tapped({ target, clientX, clientY }: MouseEvent, pane: HTMLElement): string | undefined {
  const hit = target instanceof Element ? target.closest(".selectable, .selected") : null;
  const isExact = hit && !(target as Element).matches(".reach");
  return isExact ? hit.getAttribute("data-id")! : nearestTarget({ x: clientX, y: clientY }, targetsOnScreen(pane));
}

interface Views {
  /** The view that shows what is needed. */
  auto: View;
  /** The view now: `auto`, or the one that the player has chosen. */
  shown: View;
}

/** A view that the player has chosen, and for which targets and size of the pane. */
interface Chosen {
  view: View;
  for: string;
}

interface ViewControl {
  view: Views;
  isFitted: boolean;
  /** Changes the view, or fits the drawing again. */
  change: (to: ((from: View) => View) | undefined) => void;
}

interface Viewed {
  pane: RefObject<HTMLElement | null>;
  layout: Layout;
  size: Size;
  open: ReadonlySet<string>;
  /** Whether a move has been chosen in part: what was touched then stays in place if the next targets are in view. */
  isSelecting: boolean;
}

/** The view of a pane. The player's own view lasts until other things can be selected that are not in it. */
function useView({ pane, layout, size, open, isSelecting }: Viewed): ViewControl {
  const [measured, setMeasured] = useState<{ layout: Layout; open: ReadonlySet<string>; targets: readonly Target[] }>();
  const targets = measured?.layout === layout && measured.open === open ? measured.targets : NO_TARGETS;
  const [chosen, setChosen] = useState<Chosen>();
  const latest = useRef<{ view: View; where: string }>(undefined); // and for which width and drawing
  useLayoutEffect(() => {
    if (pane.current) setMeasured({ layout, open, targets: targetsIn(pane.current, layout) });
  }, [layout, open]);
  const key = `${size.width} ${size.height} ${[...open].join()}`;
  const least = leastTouch();
  const where = [size.width, ...Object.values(layout.content)].join(); // the height changes with the buttons of the dock
  const fitted = isSelecting && latest.current?.where === where ? latest.current.view : fit(layout.content, size);
  const auto = reveal(fitted, targets, size, least);
  const own = chosen && (chosen.for === key ? chosen.view : reveal(chosen.view, targets, size, least));
  const shown = own ?? auto;
  useLayoutEffect(() => {
    latest.current = { view: shown, where };
  });
  const change = (to: ((from: View) => View) | undefined): void => {
    const view = to?.(latest.current?.view ?? shown);
    if (view) latest.current = { view, where };
    setChosen(view && { view, for: key });
  };
  return { view: { auto, shown }, isFitted: !own, change };
}

/** The size for which to lay out the areas: while a move is being chosen, they do not move when the dock grows. */
function useSteadySize(size: Size, isSelecting: boolean): Size {
  const [known, setKnown] = useState(size);
  const steady = isSelecting && known.width === size.width ? known : size;
  if (steady !== known) setKnown(steady);
  return steady;
}

/** The size of a pane, which follows the window. */
function useSize(pane: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 300, height: 200 });
  useLayoutEffect(() => {
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = pane.current!;
      setSize((known) => (known.width === width && known.height === height ? known : { width, height }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(pane.current!);
    measure();
    return () => observer.disconnect();
  }, []);
  return size;
}

interface DrawingProps {
  game: string;
  layout: Layout;
  pieces: readonly api.ScenePiece[];
  table: TableDrawing;
  least: number;
  /** The scale at which texts have to be legible. */
  scale: number;
}

function Drawing({ game, layout, pieces, table, least, scale }: DrawingProps): JSX.Element {
  const [aimed, setAimed] = useState<string>();
  const aim = ({ target }: Event): void => setAimed((target as Element).closest("[data-id]")?.getAttribute("data-id") ?? undefined);
  const preview = tableExtrasOf(game)?.preview;
  return (
    <div style={{ "--scale": `${scale}` }} {...(preview && { onPointerOver: aim, onFocusIn: aim })}>
      {layout.areas.map((laid) => (
        <Framed key={laid.area.id} {...{ ...laid, table }}>
          <AreaView
            {...{ ...laid, table, least }}
            overlay={preview?.area === laid.area.id ? <preview.Preview places={laid.area.places} control={table.control} {...{ pieces, aimed }} /> : undefined}
          />
        </Framed>
      ))}
    </div>
  );
}

/** The frame of an area, with its caption: the player to whom it belongs, or what lies there. */
function Framed({ area, box, caption, table, children }: LaidArea & { table: TableDrawing; children: JSX.Element }): JSX.Element {
  const { seat, label } = area;
  const { x, y, width, height } = box;
  return (
    <figure class="area" style={{ left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` }}>
      {caption > 0 && (
        <figcaption style={{ height: `${caption}px` }}>
          {seat === undefined ? label : <PlayerName seat={seat} name={table.names[seat] ?? ""} />}
          {seat !== undefined && seat === table.seat && <span class="you">{t("players-you")}</span>}
        </figcaption>
      )}
      {children}
    </figure>
  );
}
