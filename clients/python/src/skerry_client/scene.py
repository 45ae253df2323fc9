"""Scenes: what a frontend draws."""

from __future__ import annotations

from collections.abc import Iterable

from skerry.v1 import scene_pb2


def apply_frame(pieces: Iterable[scene_pb2.ScenePiece], frame: scene_pb2.SceneFrame) -> list[scene_pb2.ScenePiece]:
    """Return the pieces after a move, from below to above.

    ``pieces``: those before the move. ``frame``: that of the move (``Moved.frame``). Neither changes.
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
