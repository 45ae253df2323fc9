"""The machines that a number of players needs, from the unit costs of a move, a message, a stream and a session."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

MOVES_A_MINUTE = 2.0
"""Moves of each player."""
SEATS = 3
"""Players at a table."""
WATCHERS = 0.3
"""Spectators at a table, in addition to its players. Each has a stream."""
GAME_MINUTES = 30.0
CALLS_BEFORE = 4
"""Calls that create and join a session. Each counts as a move."""
BUSY = 0.6
"""The share of a core to use."""
CONNECTIONS = 4096
"""Connections of a replica, by default: one for each player and spectator."""
SESSION_BYTES = 14 * 1024
"""Size in Redis at the end of a game."""
KEPT_DAYS = 30.0
"""How long a finished game stays in Redis without an archive, by default."""
ARCHIVED_AFTER_HOURS = 6.0
"""How long a finished game stays in Redis with an archive, by default."""
_DAY = 86_400.0


class Cost(Struct, frozen=True):
    """The unit costs: seconds of processor time, and bytes."""

    idle_service: float
    """A second."""
    idle_store: float
    act_service: float
    act_store: float
    act_store_busy: float
    """Of a store under full load, like a master that serves many replicas."""
    message: float
    """Of a message to a viewer with a view of its own, as each seat has."""
    session_store: float
    """Of a session that has just started, in Redis."""
    stream: float
    """Memory in the service."""
    written: float
    """Bytes of the append-only file per move."""


class Needs(Struct, frozen=True):
    """The needs of a number of concurrent players."""

    moves: float
    """A second."""
    messages: float
    """A second."""
    service_cores: float
    replicas_by_connections: float
    streams_bytes: float
    store_cores: float
    """Each Redis master uses one."""
    playing_bytes: float
    """Redis memory of games in play."""
    finished_bytes: float
    """Redis memory of finished games without an archive."""
    unarchived_bytes: float
    """Redis memory of finished games that are not archived yet."""
    written: float
    """Bytes to disk per second."""


def needs(players: float, cost: Cost) -> Needs:
    """Return the needs of that many concurrent players."""
    tables = players / SEATS
    begun = tables / (GAME_MINUTES * 60)
    moves = players * MOVES_A_MINUTE / 60 + begun * CALLS_BEFORE
    listeners = players + tables * WATCHERS
    messages = moves * (SEATS + WATCHERS)
    return Needs(
        moves=moves,
        messages=messages,
        service_cores=(moves * cost.act_service + messages * cost.message) / BUSY,
        replicas_by_connections=listeners / CONNECTIONS,
        streams_bytes=listeners * cost.stream,
        store_cores=moves * cost.act_store_busy / BUSY,
        playing_bytes=tables * SESSION_BYTES,
        finished_bytes=begun * _DAY * KEPT_DAYS * SESSION_BYTES,
        unarchived_bytes=begun * 3600 * ARCHIVED_AFTER_HOURS * SESSION_BYTES,
        written=moves * cost.written,
    )


def rows_of(players: float, cost: Cost) -> Iterator[tuple[str, float, str]]:
    """Yield the needs of that many players as names, figures and units."""
    found, gib = needs(players, cost), 2**30
    yield "moves", found.moves, "/s"
    yield "messages", found.messages, "/s"
    yield "cores of the service", found.service_cores, ""
    yield "replicas, by their connections", found.replicas_by_connections, ""
    yield "memory of streams", found.streams_bytes / gib, "GiB"
    yield "cores of Redis", found.store_cores, ""
    yield "Redis, games in play", found.playing_bytes / gib, "GiB"
    yield "Redis, finished games kept for 30 days", found.finished_bytes / gib, "GiB"
    yield "Redis, finished games not archived for 6 hours", found.unarchived_bytes / gib, "GiB"
    yield "written to disk", found.written / 2**20, "MiB/s"
