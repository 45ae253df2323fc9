"""What viewers are told of sessions: positions, and the updates of streams. What reads the same is written once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, TypeAlias, TypeVar, cast

from google.protobuf.message import Message

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_games.api import Viewer
from skerry_service.domain.delay import sees_delayed
from skerry_service.domain.record import Phase, Record
from skerry_service.domain.table import Applied, Table
from skerry_service.domain.tokens import Caller, may_see_player_ids
from skerry_service.sessions.service import Sessions
from skerry_service.watching.streams import Update
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

_MOST_SHARED = 64
"""Messages kept of a session for other readers: enough for all viewers, whatever they resume from."""
_MOST_AT_ONCE = 8
"""Entries told without a break: as many as a move brings. Each takes about half a millisecond to write."""
_MOST_KEPT = 256
"""Positions, and sessions, kept in case they are read again."""
_SAME_TIME_MS = 20
"""Readers that are told within such a time are told the same time."""
_IN_SESSION, _IN_POSITION = message_field(pb.ObserveResponse, "session"), message_field(pb.ObserveResponse, "position")
_IN_ENTRIES = message_field(pb.ObserveResponse, "entries")


class Renderer:
    """Tells of the sessions of one replica."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._positions: dict[tuple[str, bytes, Viewer], bytes] = {}
        """Positions in wire format, by session, chained hash of its log, and viewer."""
        self._records: dict[tuple[str, bool], tuple[Record, bytes]] = {}
        """Sessions in wire format, each with the record that it tells of, by id and whether players' ids are told."""

    def session(self, table: Table, caller: Caller) -> bytes:
        """Return what the caller may know of a session beside its game, a ``Session`` in wire format.

        A move changes next to nothing of it.
        """
        record, players = table.record, may_see_player_ids(table.record, caller)
        known, written = self._records.get((record.id, players), (None, b""))
        if known is not record:
            written = write_session(record, 0, "", with_player_ids=players).SerializeToString()
            _keep(self._records, (record.id, players), (record, written))
        now = session_pb2.Session(sequence=table.sequence, epoch=self._sessions.epoch)
        return written + now.SerializeToString()

    def response(self, kind: type[M], table: Table, caller: Caller, *parts: bytes, **others: Any) -> Serialized[M]:
        """Return an answer that tells of a session in its field ``session``.

        ``parts``: of the answer, in wire format; ``others``: its other fields.
        """
        in_session = message_field(cast("Hashable", kind), "session")
        told = in_session(self.session(table, caller))
        return Serialized(kind, b"".join((told, *parts, kind(**others).SerializeToString())))

    def position(self, table: Table, caller: Caller) -> bytes:
        """Return the position that the caller may see, a ``Position`` in wire format; empty in the lobby.

        The last ones are kept: who has acted reads on from there, and its stream tells it too.
        """
        if table.record.phase is Phase.LOBBY or table.state is None:
            return b""
        viewer = caller.seat
        if sees_delayed(table.record, caller):  # the table may stand within a batch, where no hash tells it from others
            return position_to_wire(table, viewer)
        key = table.record.id, table.chained_hash, viewer
        written = self._positions.get(key)
        if written is None:
            written = position_to_wire(table, viewer)
            _keep(self._positions, key, written)
        return written

    async def render_update(self, update: Update, caller: Caller, view: View) -> Serialized[pb.ObserveResponse]:
        """Render an update, once for all readers who are told the same. ``view``: not POSITION_VIEW_UNSPECIFIED."""
        at_once = self.render_now(update, caller, view)
        if at_once is not None:
            return at_once
        table, timed = update.table, _tells_time(update, caller)
        uptime_ms = await self._sessions.uptime_ms() if timed else 0
        key = _key(update, caller, view, uptime_ms)
        known = update.memo.get(key)
        if known is None:
            steps = entries_to_wire(table, update.applied, caller.seat)
            parts = self._begun(update, caller, view), *map(_IN_ENTRIES, await self._sessions.tasks.run(steps))
            if timed:
                parts += (pb.ObserveResponse(clocks=write_clocks(table, uptime_ms)).SerializeToString(),)
            known = _shared(update, key, parts)
        return known

    def render_now(self, update: Update, caller: Caller, view: View) -> Serialized[pb.ObserveResponse] | None:
        """Render an update likewise, without waiting; ``None`` if it tells the time, or takes long to write."""
        rendered: dict[Hashable, Serialized[pb.ObserveResponse]] = update.rendered
        known = rendered.get(view) or rendered.get((caller.seat, view))
        if known is not None:
            return known
        table, applied = update.table, update.applied
        if len(applied) > _MOST_AT_ONCE or (table.clocks and _tells_time(update, caller)):
            return None
        key = _key(update, caller, view)
        known = update.memo.get(key)
        if known is None:
            entries = [_IN_ENTRIES(entry_to_wire(table, one, caller.seat)) for one in applied]
            known = _shared(update, key, (self._begun(update, caller, view), *entries))
        if not update.record_changed:  # else it is nobody else's
            # Whatever the seat, who has no view of the position is told the same of what is open to everybody.
            for_all = view == pb.POSITION_VIEW_NONE and _is_open(update)
            rendered[view if for_all else (caller.seat, view)] = known
        return known

    def _begun(self, update: Update, caller: Caller, view: View) -> bytes:
        """Return what comes before the entries."""
        table = update.table
        reached = pb.ObserveResponse(sequence=table.sequence, epoch=update.epoch, heartbeat=update.heartbeat)
        parts = [reached.SerializeToString()]
        if update.record_changed:
            parts.append(_IN_SESSION(self.session(table, caller)))
        if not update.heartbeat and includes_position(view, table, caller.seat):
            written = self.position(table, caller)
            if written:
                parts.append(_IN_POSITION(written))
        return b"".join(parts)


def _key(update: Update, caller: Caller, view: View, uptime_ms: int = 0) -> Hashable:
    """Return what readers have in common who are told the same. ``uptime_ms``: the time they are told; 0 for none."""
    table, applied, changed, seat = update.table, update.applied, update.record_changed, caller.seat
    players = changed and may_see_player_ids(table.record, caller)
    position = not update.heartbeat and includes_position(view, table, seat)
    first = applied[0].sequence if applied else 0
    sees = seat if position or len(applied) > _MOST_AT_ONCE else _seen(update, seat)
    age = uptime_ms // _SAME_TIME_MS
    return sees, first, table.sequence, changed, update.heartbeat, players, position, update.epoch, age


def _tells_time(update: Update, caller: Caller) -> bool:
    return bool(update.table.clocks) and not sees_delayed(update.table.record, caller)


def _shared(update: Update, key: Hashable, parts: Iterable[bytes]) -> Serialized[pb.ObserveResponse]:
    """Put an update together, and keep it for readers who are told the same."""
    told = Serialized(pb.ObserveResponse, b"".join(parts))
    if len(update.memo) < _MOST_SHARED:
        update.memo[key] = told
    return told


def _keep(kept: dict[Key, Value], key: Key, value: Value) -> None:
    """Keep the value, and not much more than the last ones."""
    kept[key] = value
    if len(kept) > _MOST_KEPT:
        del kept[next(iter(kept))]


def _seen(update: Update, viewer: Viewer) -> tuple[Any, ...]:
    """Return all that a viewer sees of the moves: whoever sees the same is told with the same message."""
    if _is_open(update):
        return ()
    return tuple([visible_parts(update.table, applied, viewer) for applied in update.applied])


def _is_open(update: Update) -> bool:
    """Whether all that a spectator sees is the whole of it. Then nobody sees less, or anything else."""
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


def is_long(update: Update) -> bool:
    """Whether an update has more entries than are told without a break."""
    return len(update.applied) > _MOST_AT_ONCE


def includes_position(view: View, table: Table, viewer: Viewer) -> bool:
    """Whether an answer with that ``view`` shows the position at the table."""
    if view == pb.POSITION_VIEW_TO_ACT:
        return table.record.over or viewer in table.to_act
    return view == pb.POSITION_VIEW_FULL
