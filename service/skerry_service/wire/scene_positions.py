"""Positions and entries with scenes. Replaying the moves of an update gives the pieces between its entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from skerry.v1 import session_pb2
from skerry_games.api import Viewer
from skerry_games.looks.scene import ScenePiece
from skerry_service.domain.cooperative import CooperativeTask
from skerry_service.domain.log import Moved, Undone
from skerry_service.domain.table import Applied, Table, apply_entry
from skerry_service.wire.payloads import choices_to_wire, moved_with_effects_to_wire, view_to_wire
from skerry_service.wire.scene_messages import (
    annotations_to_wire,
    areas_to_wire,
    changed_annotations,
    frame_to_wire,
    pieces_of,
    pieces_to_wire,
    seats_to_wire,
)
from skerry_service.wire.session_messages import IN_VIEW, entry_to_wire, position_head, visible_events
from skerry_service.wire.splice import message_field

MAX_FRAMES = 32
"""The most moves of an update with frames. A frame takes a fraction of a millisecond."""
_IN_SCENE = message_field(session_pb2.Position, "scene")


class ScenePosition(NamedTuple):
    """A position with a scene, in parts."""

    position: bytes
    """A serialized ``Position`` without scene."""
    pieces: bytes
    seats: bytes
    """Serialized ``Scene`` messages: the pieces; the task and the seats."""
    annotations: Mapping[str, bytes]
    """By id, as ``annotations_to_wire`` returns them."""

    def whole(self, areas: bytes = b"") -> bytes:
        """Return the position with its whole scene. ``areas``: of ``areas_to_wire``."""
        return self.position + _IN_SCENE(b"".join([self.pieces, self.seats, *self.annotations.values(), areas]))

    def after(self, annotations: Mapping[str, bytes]) -> bytes:
        """Return the position with the changes of its scene. Frames have the pieces.

        ``annotations``: those of the position before.
        """
        return self.position + _IN_SCENE(self.seats + changed_annotations(annotations, self.annotations))


def scene_position(table: Table, viewer: Viewer, *, with_view: bool) -> ScenePosition:
    """Return the position as the viewer may see it. The game must have begun. ``with_view``: include the view."""
    game, state = table.game, table.state
    view = game.view(state, viewer)
    head, chooser = position_head(table, viewer)
    parts = [head, IN_VIEW(view_to_wire(game, view) if with_view else b"")]
    if chooser is not None:
        parts.append(choices_to_wire(game, game.legal_moves(state, chooser), view, table.record.names))
    pieces = pieces_to_wire(pieces_of(game, view, viewer))
    annotations = annotations_to_wire(table, viewer, view)
    return ScenePosition(b"".join(parts), pieces, seats_to_wire(table, view), annotations)


def annotations_of(table: Table, viewer: Viewer) -> Mapping[str, bytes]:
    """Return the annotations of a table as ``annotations_to_wire`` does. The game must have begun."""
    return annotations_to_wire(table, viewer, table.game.view(table.state, viewer))


def areas_of(table: Table, viewer: Viewer) -> bytes:
    """Return a serialized ``Scene`` with only the areas of a session. The game must have begun."""
    return areas_to_wire(table, table.game.view(table.state, viewer))


def entry_with_effects_to_wire(table: Table, applied: Applied, viewer: Viewer, frames: bytes = b"") -> bytes:
    """Return what ``entry_to_wire`` does, and in each event what it touches and what it is worth."""
    return entry_to_wire(table, applied, viewer, moved_with_effects_to_wire, frames)


def framed_entries_to_wire(
    before: Table | None, table: Table, log: Sequence[Applied], viewer: Viewer
) -> CooperativeTask[list[bytes]]:
    """Return serialized entries with effects and frames; yield after each of them.

    ``before``: the table before the first entry, whose game has begun; ``None`` for entries without frames.
    """
    now, left = before, 0
    pieces: Sequence[ScenePiece] = ()
    if now is not None:
        left = sum(isinstance(applied.entry, Moved | Undone) for applied in log)
        pieces = pieces_of(now.game, now.game.view(now.state, viewer), viewer) if left else ()
    serialized = []
    for applied in log:
        frames = b""
        if left and now is not None:
            later, _ = apply_entry(now, applied.entry, applied.move)
            if isinstance(applied.entry, Moved | Undone):
                stages: list[_Stage] = []
                for after, events in _steps(now, later, applied) if left <= MAX_FRAMES else ():
                    count = len(visible_events(table, events, viewer))
                    _add_stage(stages, (pieces_of(now.game, now.game.view(after, viewer), viewer), count))
                    yield
                for after_stage, count in stages:
                    frames += frame_to_wire(pieces, after_stage, count, applied.entry)
                    pieces = after_stage
                left -= 1
            now = later
        serialized.append(entry_with_effects_to_wire(table, applied, viewer, frames))
        yield
    return serialized


_Stage = tuple[Sequence[ScenePiece], int]
"""The pieces after a step, and the number of events that the viewer sees in it."""


def _add_stage(stages: list[_Stage], stage: _Stage) -> None:
    """Add a stage. One without events is joined with its neighbour: nothing would say how long to show it."""
    pieces, count = stage
    if stages and (count == 0 or stages[-1][1] == 0):
        stages[-1] = pieces, count or stages[-1][1]
    else:
        stages.append(stage)


def _steps(before: Table, after: Table, applied: Applied) -> Sequence[tuple[Any, tuple[Any, ...]]]:
    """Return the states of an entry that are shown one by one, each with its events."""
    if isinstance(applied.entry, Moved) and before.game.steps is not None:
        return before.game.in_steps(before.state, applied.entry.actor, applied.move)
    return ((after.state, applied.events),)
