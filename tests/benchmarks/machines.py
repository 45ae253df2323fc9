"""The machines that a number of players needs, from the unit costs of what players and replicas do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from .capacity_services import ServiceCosts, Used

MOVES_A_MINUTE = 2.0
"""Moves of each player."""
SEATS = 3
"""Players at a table."""
WATCHERS = 0.3
"""Spectators at a table, in addition to its players. Each has a stream."""
GAME_MINUTES = 30.0
CLOCKED = 0.5
"""The share of games that have a clock."""
MATCHED = 0.5
"""The share of players who find their game by matchmaking. All others create or join a session by calls."""
WAIT_SECONDS = 20.0
"""How long such a player waits for a match."""
CELL_PLAYERS = 10**6
"""Players of an installation: more players need more installations, which share nothing."""
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
    """A second, for each replica."""
    store_alone: float
    """A second of Redis without replicas."""
    act_service: float
    act_store: float
    act_store_busy: float
    """Of a store under full load, like a master that serves many replicas."""
    services: ServiceCosts
    """Of clocks, sessions that begin, and matchmaking."""
    message: float
    """Of a message to a viewer with a view of its own, as each seat has."""
    session_store: float
    """Of a session that has just started, in Redis."""
    stream: float
    """Memory in the service."""
    written: float
    """Bytes of the append-only file per move."""


class Use(Struct, frozen=True):
    """What one process is used for: cores, without reserve."""

    moves: float
    messages: float
    clocks: float
    begun: float
    """Sessions that players create and join by calls."""
    matchmaking: float
    idle: float
    """What replicas do without calls: above all, looks at shared keys."""

    @property
    def total(self) -> float:
        return self.moves + self.messages + self.clocks + self.begun + self.matchmaking + self.idle


class Rates(Struct, frozen=True):
    """What a number of players do at once; rates are per second."""

    moves: float
    messages: float
    clocked: float
    """Moves of games with a clock."""
    begun: float
    """Sessions that begin, without those of matchmaking."""
    matched: float
    """Players who find a match."""
    waiting: float
    """Tickets that wait at a time."""
    replicas: float


class Needs(Struct, frozen=True):
    """The needs of a number of concurrent players."""

    rates: Rates
    service: Use
    store: Use
    """Each Redis master uses one core."""
    installations: float
    streams_bytes: float
    playing_bytes: float
    """Redis memory of games in play."""
    finished_bytes: float
    """Redis memory of finished games without an archive."""
    unarchived_bytes: float
    """Redis memory of finished games that are not archived yet."""
    written: float
    """Bytes to disk per second."""


def rates_of(players: float) -> Rates:
    """Return what that many players do, with as many replicas as their connections need."""
    tables = players / SEATS
    begun = tables / (GAME_MINUTES * 60)
    moves = players * MOVES_A_MINUTE / 60
    matched = begun * SEATS * MATCHED
    return Rates(
        moves=moves,
        messages=moves * (SEATS + WATCHERS),
        clocked=moves * CLOCKED,
        begun=begun * (1 - MATCHED),
        matched=matched,
        waiting=matched * WAIT_SECONDS,
        replicas=(players + tables * WATCHERS) / CONNECTIONS,
    )


def service_use(rates: Rates, cost: Cost) -> Use:
    """Return the processor time of all replicas."""
    return _use(rates, cost.act_service, cost.message, cost.idle_service, cost.services, lambda used: used.service)


def store_use(rates: Rates, cost: Cost, act: float) -> Use:
    """Return the processor time of Redis. ``act``: of a move, at the load that is meant."""
    return _use(rates, act, 0.0, cost.idle_store, cost.services, lambda used: used.store)


def _use(
    rates: Rates, act: float, message: float, idle: float, services: ServiceCosts, of: Callable[[Used], float]
) -> Use:
    return Use(
        moves=rates.moves * act,
        messages=rates.messages * message,
        clocks=rates.clocked * of(services.clock),
        begun=rates.begun * of(services.begun),
        matchmaking=rates.matched * of(services.matched) + rates.waiting * of(services.waiting),
        idle=rates.replicas * idle,
    )


def needs(players: float, cost: Cost) -> Needs:
    """Return the needs of that many concurrent players."""
    rates, tables = rates_of(players), players / SEATS
    begun = tables / (GAME_MINUTES * 60)
    return Needs(
        rates=rates,
        service=service_use(rates, cost),
        store=store_use(rates, cost, cost.act_store_busy),
        installations=max(1.0, players / CELL_PLAYERS),
        streams_bytes=(players + tables * WATCHERS) * cost.stream,
        playing_bytes=tables * SESSION_BYTES,
        finished_bytes=begun * _DAY * KEPT_DAYS * SESSION_BYTES,
        unarchived_bytes=begun * 3600 * ARCHIVED_AFTER_HOURS * SESSION_BYTES,
        written=rates.moves * cost.written,
    )


def rows_of(players: float, cost: Cost) -> Iterator[tuple[str, float, str]]:
    """Yield the needs of that many players as names, figures and units."""
    found, gib = needs(players, cost), 2**30
    yield "installations", found.installations, ""
    yield "moves", found.rates.moves, "/s"
    yield "messages", found.rates.messages, "/s"
    yield "players who find a match", found.rates.matched, "/s"
    yield "replicas, by their connections", found.rates.replicas, ""
    yield "cores of the service", found.service.total / BUSY, ""
    yield "memory of streams", found.streams_bytes / gib, "GiB"
    yield "cores of Redis", found.store.total / BUSY, ""
    yield "of them for moves", found.store.moves / BUSY, ""
    yield "of them for clocks", found.store.clocks / BUSY, ""
    yield "of them for sessions that begin", found.store.begun / BUSY, ""
    yield "of them for matchmaking", found.store.matchmaking / BUSY, ""
    yield "of them for idle replicas", found.store.idle / BUSY, ""
    yield "Redis, games in play", found.playing_bytes / gib, "GiB"
    yield "Redis, finished games kept for 30 days", found.finished_bytes / gib, "GiB"
    yield "Redis, finished games not archived for 6 hours", found.unarchived_bytes / gib, "GiB"
    yield "written to disk", found.written / 2**20, "MiB/s"
