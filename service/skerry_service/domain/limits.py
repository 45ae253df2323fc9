"""How much of everything this server gives, and for how long."""

from __future__ import annotations

from msgspec import Struct

_HOUR_MS = 3_600_000
_DAY_MS = 24 * _HOUR_MS

MAX_ENTRIES_BEFORE_START = 1000
"""Entries of a lobby's log, after which nobody joins it and its labels stay."""
MAX_ENTRIES_FOR_SETTINGS = 5000
"""Entries of a log, after which its labels and webhooks stay. No game has as many, so it is those that they are."""
MAX_ENTRIES_FOR_PRESENCE = 10_000
"""Entries of a log, after which nobody is seen to be away, or nudged. Whoever fills one up to there must do so by going
away and coming back: else a player who is about to abandon a game could keep it from being noticed."""

MAX_RETURNS = 50
"""How often players can sit down again on one seat after substitutes. Each time makes the record longer."""


class SessionLimits(Struct, frozen=True):
    """Bounds on what sessions may use. Times in milliseconds unless a name says seconds."""

    lobby_lifetime_ms: int = _HOUR_MS
    """A lobby that nobody joins or leaves ends after this."""
    game_lifetime_ms: int = 7 * _DAY_MS
    """A game in which nobody moves ends after this."""
    finished_lifetime_ms: int = 30 * _DAY_MS
    """A finished game can be read for this long."""
    bots_lifetime_ms: int = _HOUR_MS
    """A finished game at whose end no player was left can be read for this long."""
    heartbeat_seconds: float = 15.0
    """An idle stream shows this often that it is alive, and looks for entries it was not told of."""
    uptime_skew_seconds: float = 2.0
    """So far the ages of a store can be apart that replicas know, or one of them before and after a crash."""
    presence_seconds: float = 5.0
    """This often is noted who is there, where sessions watch that."""
    away_ms: int = 30_000
    """A player who was not seen for longer is away."""
    connections: int = 4096
    """Connections that each port takes, if there are descriptors for as many (``descriptors``)."""
    cached_tables: int = 4096
    """Decoded sessions kept in this process. Correctness does not depend on them."""
    streams_per_token: int = 8
    """Streams of one session that the host's token or a seat's may hold open here."""
    spectator_streams: int = 2000
    """Streams of one session that spectators may hold open here, all together, with their token or without one."""
    spectators_per_address: int = 100
    """How many of those one reader may hold, as far as readers can be told apart: one address."""
