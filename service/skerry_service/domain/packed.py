"""The serialized form of a session's head, as a store keeps it, and the identity of a request."""

from __future__ import annotations

from functools import cache
from typing import Any, cast

from msgspec import Struct, defstruct, msgpack

from skerry_games.api import OVER
from skerry_service.domain.clocks import Clocks
from skerry_service.domain.log import pack
from skerry_service.domain.record import unpack_record
from skerry_service.domain.table import Table, game_of, supported_game
from skerry_service.domain.undoing.undo_runs import Run


class Request(Struct, frozen=True):
    """Identity of a call, so that a repeat has no second effect."""

    id: bytes
    """8-byte hash of the caller and its request id."""
    payload: bytes
    """8-byte hash of what the call asks for."""


class Head(Struct, frozen=True):
    """The head of a session: its serialized record and game snapshot after the entry ``sequence``."""

    sequence: int
    record: bytes
    snapshot: bytes
    chained_hash: bytes = b""
    """Identifies the log up to here (``log.chained_hash_of``). A store that lost the end of a log can grow another one
    of the same length. Then the sequence is the same and the hash differs."""


def head_of(table: Table, *, pack_record: bool = True) -> Head:
    """Serialize a table for the store. ``pack_record``: ``False`` leaves the record empty, if it has not changed."""
    record = pack(table.record) if pack_record else b""
    return Head(table.sequence, record, _pack_snapshot(table), table.chained_hash)


def _pack_snapshot(table: Table) -> bytes:
    clocked = (table.clocks, table.uptime_ms) if table.clocks or table.uptime_ms or table.run else ()
    run = (table.run,) if table.run else ()
    return pack((table.open_since, table.state, table.time_ms, *clocked, *run))


def unpack_head(head: Head) -> Table:
    """Decode a stored table. Raises GameNotFound, RulesetUnsupported, or an error of msgspec for malformed bytes."""
    record = unpack_record(head.record)
    game = game_of(record)
    snapshot = _snapshot_decoder(game.id, game.ruleset).decode(head.snapshot)
    stored = snapshot.open_since, head.chained_hash, snapshot.time_ms, snapshot.clocks, snapshot.uptime_ms
    turn = OVER if snapshot.state is None else game.to_act(snapshot.state)
    return Table(record, game, head.sequence, snapshot.state, *stored, turn, snapshot.run)


@cache
def _snapshot_decoder(game: str, ruleset: str) -> msgpack.Decoder[Any]:
    state = supported_game(game, ruleset).state_type
    fields: list[tuple[str, Any] | tuple[str, Any, Any]] = [
        ("open_since", tuple[int, ...]),
        ("state", state | None),
        ("time_ms", int),
        ("clocks", Clocks, ()),
        ("uptime_ms", int, 0),
        ("run", cast("Any", Run)[state] | None, None),
    ]
    return msgpack.Decoder(defstruct("Snapshot", fields, frozen=True, array_like=True))
