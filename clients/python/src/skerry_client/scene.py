"""Scenes: what a frontend draws."""

from __future__ import annotations

from collections.abc import Iterable

from skerry.v1 import scene_pb2
from skerry.v1 import service_pb2 as api


def apply_frame(pieces: Iterable[scene_pb2.ScenePiece], frame: scene_pb2.SceneFrame) -> list[scene_pb2.ScenePiece]:
    """Return the pieces after a step of a move, from below to above.

    ``pieces``: those before the step. ``frame``: one of a move (``Moved.frames``), or of a move taken back
    (``Undone.frames``). Neither changes.
    """
    gone = {*frame.removed, *(piece.id for piece in frame.put)}
    after = [piece for piece in pieces if piece.id not in gone]
    for put in frame.put:
        below = next((number for number, piece in enumerate(after) if piece.id == put.above), -1)
        piece = scene_pb2.ScenePiece()
        piece.CopyFrom(put)
        piece.ClearField("above")
        after.insert(below + 1, piece)
    return after


class SceneStream:
    """Completes the scenes of a stream, whose later messages have only the changes of a scene."""

    def __init__(self) -> None:
        self._pieces: list[scene_pb2.ScenePiece] = []
        self._annotations: list[scene_pb2.Annotation] = []

    def complete(self, message: api.ObserveResponse) -> api.ObserveResponse:
        """Return a message with the whole scene, except for the areas, which never change."""
        if not message.position.HasField("scene"):
            return message
        if not message.position.scene.areas:
            message = _copied(message)
            self._fill(message)
        self._pieces = list(message.position.scene.pieces)
        self._annotations = list(message.position.scene.annotations)
        return message

    def _fill(self, message: api.ObserveResponse) -> None:
        scene, pieces = message.position.scene, self._pieces
        for entry in message.entries:
            for frame in (*entry.moved.frames, *entry.undone.frames):
                pieces = apply_frame(pieces, frame)
        changed = {annotation.id for annotation in scene.annotations}
        kept = [annotation for annotation in self._annotations if annotation.id not in changed]
        annotations = [*kept, *(annotation for annotation in scene.annotations if annotation.text)]
        scene.pieces.extend(pieces)
        scene.ClearField("annotations")
        scene.annotations.extend(annotations)


def _copied(message: api.ObserveResponse) -> api.ObserveResponse:
    copy = api.ObserveResponse()
    copy.CopyFrom(message)
    return copy
