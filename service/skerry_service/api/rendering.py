"""Renders sessions, positions and updates of streams for callers. Equal messages are rendered once and shared."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Iterable
from typing import Any, Final, TypeAlias, TypeVar, cast

from google.protobuf.message import Message

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_games.api import Viewer
from skerry_service.domain.delay import sees_delayed
from skerry_service.domain.errors import NotStarted
from skerry_service.domain.record import Phase, Record
from skerry_service.domain.table import Applied, Table
from skerry_service.domain.tokens import Caller, may_see_player_ids
from skerry_service.sessions.service import Sessions
from skerry_service.watching.streams import Update
from skerry_service.wire.caller_language import Wording, caller_wording
from skerry_service.wire.scene_positions import (
    ScenePosition,
    annotations_of,
    areas_of,
    entry_with_effects_to_wire,
    framed_entries_to_wire,
    scene_position,
)
from skerry_service.wire.serialized import Serialized
from skerry_service.wire.session_messages import (
    entries_to_wire,
    entry_to_wire,
    position_to_wire,
    visible_parts,
    write_clocks,
    write_session,
)
from skerry_service.wire.splice import message_field

Key = TypeVar("Key")
Value = TypeVar("Value")
M = TypeVar("M", bound=Message)
View: TypeAlias = "pb.PositionView.ValueType"

_MAX_SHARED = 64
"""The most messages of an update that are shared: enough for all viewers and points from which they resume."""
_LONG_UPDATE = 8
"""Updates with more entries are rendered as a cooperative task. An entry takes about half a millisecond."""
_CACHE_SIZE = 256
"""The most cached positions, and the most cached sessions."""
_CLOCK_RESOLUTION_MS = 20
"""Readers that ask within this time share a message, with the same clocks."""
VIEWS: Final = (
    pb.POSITION_VIEW_FULL,
    pb.POSITION_VIEW_NONE,
    pb.POSITION_VIEW_TO_ACT,
    pb.POSITION_VIEW_SCENE,
    pb.POSITION_VIEW_FULL_WITH_SCENE,
)
"""What a request can ask for, the default of most first."""
_SCENES = frozenset((pb.POSITION_VIEW_SCENE, pb.POSITION_VIEW_FULL_WITH_SCENE))
_IN_SESSION, _IN_POSITION = message_field(pb.ObserveResponse, "session"), message_field(pb.ObserveResponse, "position")
_IN_ENTRIES = message_field(pb.ObserveResponse, "entries")


class Renderer:
    """Renders the sessions of one replica, and caches the results."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._positions: dict[tuple[str, bytes, Viewer, Wording], bytes] = {}
        """Serialized positions, by session, chained hash of its log, viewer, and wording."""
        self._scenes: dict[tuple[str, bytes, Viewer, View, Wording], ScenePosition] = {}
        """Positions with scenes, by the same and how much they contain."""
        self._records: dict[tuple[str, bool, Wording], tuple[Record, bytes]] = {}
        """Records with their serialized sessions, by session id, whether they include players' ids, and wording."""

    def session(self, table: Table, caller: Caller) -> bytes:
        """Return what the caller may see of a session, as a serialized ``Session``, without its position.

        A move changes only the sequence, so the rest is cached.
        """
        record, players = table.record, may_see_player_ids(table.record, caller)
        key = record.id, players, caller_wording()
        known, serialized = self._records.get(key, (None, b""))
        if known is not record:
            serialized = write_session(record, 0, "", with_player_ids=players).SerializeToString()
            _cache(self._records, key, (record, serialized))
        now = session_pb2.Session(sequence=table.sequence, epoch=self._sessions.epoch)
        return serialized + now.SerializeToString()

    def response(self, kind: type[M], table: Table, caller: Caller, *parts: bytes, **others: Any) -> Serialized[M]:
        """Return a response of this kind whose field ``session`` is the session, as the caller may see it.

        ``parts``: serialized responses with other fields. ``others``: further fields by name.
        """
        in_session = message_field(cast("Hashable", kind), "session")
        session = in_session(self.session(table, caller))
        return Serialized(kind, b"".join((session, *parts, kind(**others).SerializeToString())))

    def position(
        self, table: Table, caller: Caller, view: View = pb.POSITION_VIEW_FULL, *, with_areas: bool = False
    ) -> bytes:
        """Return the position as the caller may see it, as a serialized ``Position``; empty in the lobby.

        ``view``: one that includes it (``includes_position``). ``with_areas``: whether its scene has areas.
        Recent positions are cached, because the response to a move and the streams need the same one.
        """
        if table.record.phase is Phase.LOBBY or table.state is None:
            return b""
        viewer = caller.seat
        if view in _SCENES:
            areas = areas_of(table, viewer) if with_areas else b""
            return self._scene_position(table, caller, view).whole(areas)
        if sees_delayed(table.record, caller):  # the table can be inside a batch, where the hash does not identify it
            return position_to_wire(table, viewer)
        key = table.record.id, table.chained_hash, viewer, caller_wording()
        serialized = self._positions.get(key)
        if serialized is None:
            serialized = position_to_wire(table, viewer)
            _cache(self._positions, key, serialized)
        return serialized

    def _next_position(self, before: Table | None, table: Table, caller: Caller, view: View) -> bytes:
        """Return ``position``; after a position that the reader has, only the changes of its scene."""
        if before is None or view not in _SCENES:
            return self.position(table, caller, view, with_areas=True)
        known = self._scenes.get((before.record.id, before.chained_hash, caller.seat, view, caller_wording()))
        if known is None or sees_delayed(before.record, caller):
            annotations = annotations_of(before, caller.seat)
        else:
            annotations = known.annotations
        return self._scene_position(table, caller, view).after(annotations)

    def _scene_position(self, table: Table, caller: Caller, view: View) -> ScenePosition:
        with_view = view == pb.POSITION_VIEW_FULL_WITH_SCENE
        if sees_delayed(table.record, caller):
            return scene_position(table, caller.seat, with_view=with_view)
        key = table.record.id, table.chained_hash, caller.seat, view, caller_wording()
        position = self._scenes.get(key)
        if position is None:
            position = scene_position(table, caller.seat, with_view=with_view)
            _cache(self._scenes, key, position)
        return position

    async def render_update(self, update: Update, caller: Caller, view: View) -> Serialized[pb.ObserveResponse]:
        """Render an update, once for all readers with the same result. ``view``: not POSITION_VIEW_UNSPECIFIED."""
        rendered = self.render_now(update, caller, view)
        if rendered is not None:
            return rendered
        table, timed = update.table, _has_clocks(update, caller)
        uptime_ms = await self._sessions.uptime_ms() if timed else 0
        key = _key(update, caller, view, uptime_ms)
        known = update.memo.get(key)
        if known is None:
            lock = update.memo.setdefault(("rendering", key), asyncio.Lock())
            async with lock:  # one reader renders the message, and the others wait for it
                known = update.memo.get(key)
                if known is None:
                    parts = await self._parts(update, caller, view)
                    if timed:
                        parts += (pb.ObserveResponse(clocks=write_clocks(table, uptime_ms)).SerializeToString(),)
                    known = _shared(update, key, parts)
            update.memo.pop(("rendering", key), None)
        return known

    async def _parts(self, update: Update, caller: Caller, view: View) -> tuple[bytes, ...]:
        """Render an update without clocks, as a cooperative task."""
        if view in _SCENES:
            task = framed_entries_to_wire(update.before, update.table, update.applied, caller.seat)
        else:
            task = entries_to_wire(update.table, update.applied, caller.seat)
        return self._head(update, caller, view), *map(_IN_ENTRIES, await self._sessions.tasks.run(task))

    def render_now(self, update: Update, caller: Caller, view: View) -> Serialized[pb.ObserveResponse] | None:
        """Render an update without waiting; ``None`` if it has clocks or scenes, or is long."""
        wording = caller_wording()
        rendered: dict[Hashable, Serialized[pb.ObserveResponse]] = update.rendered
        known = rendered.get((view, wording)) or rendered.get((caller.seat, view, wording))
        if known is not None:
            return known
        table, applied = update.table, update.applied
        if view in _SCENES or len(applied) > _LONG_UPDATE or (table.clocks and _has_clocks(update, caller)):
            return None
        key = _key(update, caller, view)
        known = update.memo.get(key)
        if known is None:
            entries = [_IN_ENTRIES(entry_to_wire(table, one, caller.seat)) for one in applied]
            known = _shared(update, key, (self._head(update, caller, view), *entries))
        if not update.record_changed:  # otherwise the message is for this reader only
            # Without a position, all seats share the message of an update that hides nothing.
            for_all = view == pb.POSITION_VIEW_NONE and _is_open(update)
            rendered[(view, wording) if for_all else (caller.seat, view, wording)] = known
        return known

    def _head(self, update: Update, caller: Caller, view: View) -> bytes:
        """Return everything before the entries, serialized."""
        table = update.table
        reached = pb.ObserveResponse(sequence=table.sequence, epoch=update.epoch, heartbeat=update.heartbeat)
        parts = [reached.SerializeToString()]
        if update.record_changed:
            parts.append(_IN_SESSION(self.session(table, caller)))
        if not update.heartbeat and includes_position(view, table, caller.seat):
            position = self._next_position(update.before, table, caller, view)
            if position:
                parts.append(_IN_POSITION(position))
        return b"".join(parts)


def _key(update: Update, caller: Caller, view: View, uptime_ms: int = 0) -> Hashable:
    """Return the cache key of a rendered update. ``uptime_ms``: the time of its clocks; 0 without clocks."""
    table, applied, changed, seat = update.table, update.applied, update.record_changed, caller.seat
    players = changed and may_see_player_ids(table.record, caller)
    position = not update.heartbeat and includes_position(view, table, seat)
    first = applied[0].sequence if applied else 0
    scene = view if view in _SCENES else 0
    sees = seat if position or scene or len(applied) > _LONG_UPDATE else _visible_to(update, seat)
    time = uptime_ms // _CLOCK_RESOLUTION_MS
    shown = position, scene, scene and update.before is None
    where = first, table.sequence, update.epoch
    return sees, where, changed, update.heartbeat, players, shown, time, caller_wording()


def _has_clocks(update: Update, caller: Caller) -> bool:
    return bool(update.table.clocks) and not sees_delayed(update.table.record, caller)


def _shared(update: Update, key: Hashable, parts: Iterable[bytes]) -> Serialized[pb.ObserveResponse]:
    """Join the parts of an update, and cache it for readers with the same key."""
    rendered = Serialized(pb.ObserveResponse, b"".join(parts))
    if len(update.memo) < _MAX_SHARED:
        update.memo[key] = rendered
    return rendered


def _cache(cache: dict[Key, Value], key: Key, value: Value) -> None:
    """Cache a value. If the cache is full, drop its oldest one."""
    cache[key] = value
    if len(cache) > _CACHE_SIZE:
        del cache[next(iter(cache))]


def _visible_to(update: Update, viewer: Viewer) -> tuple[Any, ...]:
    """Return everything that a viewer sees of the moves. Viewers with equal results share a message."""
    if _is_open(update):
        return ()
    return tuple([visible_parts(update.table, applied, viewer) for applied in update.applied])


def _is_open(update: Update) -> bool:
    """Return whether spectators see everything. All viewers then see the same."""
    key = update.applied[0].sequence if update.applied else 0, update.table.sequence
    is_open: bool | None = update.memo.get(key)
    if is_open is None:
        is_open = update.memo[key] = all(_entry_is_open(update.table, applied) for applied in update.applied)
    return is_open


def _entry_is_open(table: Table, applied: Applied) -> bool:
    move, events = visible_parts(table, applied, None)
    if move is not applied.move or len(events) != len(applied.events):
        return False
    return all(shown is event for shown, event in zip(events, applied.events, strict=True))


def position_text(table: Table, viewer: Viewer) -> str:
    """Return the position in words, as the viewer may see it: a template in English. Raises NotStarted."""
    if table.record.phase is Phase.LOBBY or table.state is None:
        raise NotStarted
    return table.game.text(table.game.view(table.state, viewer), viewer)


def past_position(table: Table, viewer: Viewer, view: View) -> bytes:
    """Return a position of the past as a serialized ``Position``, without caching it. ``view``: as in ``position``."""
    if view in _SCENES:
        position = scene_position(table, viewer, with_view=view == pb.POSITION_VIEW_FULL_WITH_SCENE)
        return position.whole(areas_of(table, viewer))
    return position_to_wire(table, viewer)


def entry_for_view(table: Table, applied: Applied, viewer: Viewer, view: View) -> bytes:
    """Return an entry as the viewer may see it, as a serialized ``Entry``; with effects if ``view`` has a scene."""
    write = entry_with_effects_to_wire if view in _SCENES else entry_to_wire
    return write(table, applied, viewer)


def is_long(update: Update) -> bool:
    """Return whether an update has too many entries to render without a pause."""
    return len(update.applied) > _LONG_UPDATE


def includes_position(view: View, table: Table, viewer: Viewer) -> bool:
    """Return whether a response with that ``view`` contains the position."""
    if view == pb.POSITION_VIEW_TO_ACT:
        return table.record.over or viewer in table.to_act
    return view != pb.POSITION_VIEW_NONE
