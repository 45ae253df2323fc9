import type { api } from "skerry-client";
import type { SelectionControl } from "../selectable.js";
import { openTargets } from "./AreaView.js";
import type { PaneAreas } from "./layOut.js";

interface Viewing {
  /** The viewer's seat. */
  own: number | undefined;
  /** Whether the game is over. Nobody holds anything then: all areas belong on the board. */
  isOver: boolean;
  /** The seat whose areas the viewer has opened. */
  opened: number | undefined;
  control: SelectionControl;
  pieces: readonly api.ScenePiece[];
}

/**
 * Divides the areas by their roles: what belongs on the board, and what the viewer holds. The areas of other seats lie beside
 * the board where there is room, and always while the viewer has opened them or can select something in them. So do the
 * areas of all seats when the game is over. Seats are in the order in which they play, from the viewer's.
 */
export function areasByRole(areas: readonly api.SceneArea[], viewing: Viewing): { board: PaneAreas; hand: PaneAreas } {
  const { own, opened, isOver, pieces } = viewing;
  const open = openTargets(viewing.control);
  const inPlay = inOrder(areas, own);
  const isFull = (area: api.SceneArea): boolean =>
    pieces.some((piece) => piece.area === area.id) || area.places.some(({ id }) => open.has(id));
  const isHeld = ({ role, seat }: api.SceneArea): boolean =>
    !isOver && (role === "AREA_ROLE_SEAT" ? seat === own && own !== undefined : role === "AREA_ROLE_HAND");
  const isLit = (area: api.SceneArea): boolean =>
    pieces.some(({ id, area: lies }) => lies === area.id && open.has(id)) || area.places.some(({ id }) => open.has(id));
  const isNeeded = (area: api.SceneArea): boolean => area.role !== "AREA_ROLE_SEAT" || (opened !== undefined && area.seat === opened) || isLit(area);
  const others = inPlay.filter((area) => !isHeld(area) && (area.role !== "AREA_ROLE_HAND" || isFull(area)));
  return {
    board: { areas: others.filter(isNeeded), spare: others.filter((area) => !isNeeded(area)) },
    hand: { areas: inPlay.filter((area) => isHeld(area) && isFull(area)), spare: [] },
  };
}

/** Returns the areas of the table, and then those of the seats in the order in which they play, from one seat on. */
function inOrder(areas: readonly api.SceneArea[], own: number | undefined): api.SceneArea[] {
  const seats = areas.filter(({ seat }) => seat !== undefined);
  const begin = Math.max(0, seats.findIndex(({ seat }) => seat === own));
  return [...areas.filter(({ seat }) => seat === undefined), ...seats.slice(begin), ...seats.slice(0, begin)];
}
