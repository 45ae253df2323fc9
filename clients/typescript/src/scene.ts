import type * as api from "./generated/api.js";

/**
 * Returns the pieces after a move, from below to above. `pieces` are those before the move, and `frame` is the move's
 * (`Moved.frame`). Neither changes. Pieces that the move leaves alone are the same objects.
 */
export function applyFrame(pieces: readonly api.ScenePiece[], frame: api.SceneFrame): api.ScenePiece[] {
  const gone = new Set([...frame.removed, ...frame.put.map(({ id }) => id)]);
  const after = pieces.filter(({ id }) => !gone.has(id));
  for (const put of frame.put) {
    after.splice(after.findIndex(({ id }) => id === put.above) + 1, 0, { ...put, above: "" });
  }
  return after;
}
