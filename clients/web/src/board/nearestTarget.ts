import type { Box, Point } from "./geometry.js";

/** An element that can be selected, as it is on the screen. */
export interface TargetOnScreen extends Box {
  id: string;
}

/**
 * Returns the id of the target that a tap means: of the targets whose touch area has the point, the one whose middle is
 * nearest. Touch areas of small targets overlap, so the uppermost one is often not the one that the player aims at.
 * `undefined`: the tap is beside all targets.
 */
export function nearestTarget({ x, y }: Point, targets: readonly TargetOnScreen[]): string | undefined {
  const hit = targets.filter((box) => x >= box.x && y >= box.y && x <= box.x + box.width && y <= box.y + box.height);
  const far = (box: Box): number => Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y);
  return hit.reduce<TargetOnScreen | undefined>((best, one) => (best && far(best) <= far(one) ? best : one), undefined)?.id;
}
