import type * as api from "./generated/api.js";

/**
 * Returns the pieces after a step of a move, from below to above. `pieces` are those before the step, and `frame` is one
 * of the move's (`Moved.frames`). Neither changes. Pieces that the step leaves alone are the same objects.
 */
export function applyFrame(pieces: readonly api.ScenePiece[], frame: api.SceneFrame): api.ScenePiece[] {
  const gone = new Set([...frame.removed, ...frame.put.map(({ id }) => id)]);
  const after = pieces.filter(({ id }) => !gone.has(id));
  for (const put of frame.put) {
    after.splice(after.findIndex(({ id }) => id === put.above) + 1, 0, { ...put, above: "" });
  }
  return after;
}

/** Completes the scenes of a stream, whose later messages have only the changes of a scene. */
export class SceneStream {
  #scene: api.Scene | undefined;

  /** Returns a message with the whole scene, except for the areas, which never change. */
  complete(message: api.ObserveResponse): api.ObserveResponse {
    const { position, entries } = message;
    if (!position?.scene) return message;
    let scene = position.scene;
    if (this.#scene && !scene.areas.length) {
      const changed = new Set(scene.annotations.map(({ id }) => id));
      const kept = this.#scene.annotations.filter(({ id }) => !changed.has(id));
      const annotations = [...kept, ...scene.annotations.filter(({ text }) => text)];
      const frames = entries.flatMap((entry) =>
        "moved" in entry ? entry.moved.frames : "undone" in entry ? entry.undone.frames : [],
      );
      scene = { ...scene, annotations, pieces: frames.reduce(applyFrame, this.#scene.pieces) };
    }
    this.#scene = scene;
    return { ...message, position: { ...position, scene } };
  }
}
