"""How many machines so many players take, from what one move, message, stream and session costs."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

MOVES_A_MINUTE = 2.0
"""Of each player."""
SEATS = 3
"""At a table."""
WATCHERS = 0.3
"""At a table, beside its players, each of whom has a stream."""
GAME_MINUTES = 30.0
CALLS_BEFORE = 4
"""To create a session and to join it: each is reckoned as a move."""
BUSY = 0.6
"""How much of a core is used before another one is wanted."""
CONNECTIONS = 4096
"""Of a replica, by default: one for each player and watcher."""
SESSION_BYTES = 14 * 1024
"""In Redis, at the end of a game."""
KEPT_DAYS = 30.0
"""How long a finished game stays in Redis, by default, where there is no archive."""
ARCHIVED_AFTER_HOURS = 6.0
"""How long it stays there where there is an archive, by default."""
_DAY = 86_400.0


class Cost(Struct, frozen=True):
    """What is reckoned with: seconds of processor time, and bytes."""

    idle_service: float
    """A second."""
    idle_store: float
    act_service: float
    act_store: float
    act_store_busy: float
    """Of a store with many moves at once, as a master is that serves many replicas."""
    message: float
    """To one viewer who sees what no other one does, as each seat is."""
    session_store: float
    """A session just begun, in Redis."""
    stream: float
    """In the service."""
    written: float
    """Of the append-only file, by a move."""


class Needs(Struct, frozen=True):
    """What so many players at once need."""

    moves: float
    """A second."""
    messages: float
    """A second."""
    service_cores: float
    replicas_by_connections: float
    streams_bytes: float
    store_cores: float
    """Each master of Redis uses one."""
    playing_bytes: float
    """Of Redis, by games in play."""
    finished_bytes: float
    """Of Redis, by finished games as long as they are kept where there is no archive."""
    unarchived_bytes: float
    """Of Redis, by finished games until they are in the archive."""
    written: float
    """Bytes to disk, a second."""


def needs(players: float, cost: Cost) -> Needs:
    """Reckon what so many players at once need."""
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
    """Yield what so many players need as names, figures and units."""
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
