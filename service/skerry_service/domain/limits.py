"""Limits of sessions: log lengths, lifetimes, timeouts and stream counts, and what ids of players may be."""

from __future__ import annotations

from msgspec import Struct

_HOUR_MS = 3_600_000
_DAY_MS = 24 * _HOUR_MS

VOUCHED_PREFIX = "vouched_"
"""The beginning of the ids of vouched players. An id in a request must not begin with it."""

MAX_ENTRIES_BEFORE_START = 1000
"""Entries of a lobby's log after which the lobby rejects players and new settings."""
MAX_ENTRIES_FOR_SETTINGS = 5000
"""Entries of a log after which labels and webhooks can no longer change. No game alone makes a log that long."""
MAX_ENTRIES_FOR_PRESENCE = 10_000
"""Entries of a log after which the session records no absences and no nudges. It is higher than the limit for settings,
so a player cannot fill the log with settings and then abandon the game unnoticed."""

MAX_ENTRIES_FOR_UNDO = 3000
"""Entries of a log after which no move can be taken back. It is lower than the limit for settings, so players cannot
keep the host from changing them."""

MAX_ENTRIES_FOR_EMOTES_BEFORE_START = 500
"""Entries of a lobby's log after which no player can send emotes before the start. It is lower than the limit for
players and settings, so emotes cannot keep players from joining."""
MAX_EMOTES = 40
"""How many emotes a player can send in one session. A seat's next player begins anew."""
MIN_EMOTE_INTERVAL_MS = 3000
"""Time between two emotes of a seat."""

MAX_RETURNS = 50
"""How often players can take one seat from substitutes. Each time makes the record longer."""


class SessionLimits(Struct, frozen=True):
    """Limits of the sessions on one server."""

    lobby_lifetime_ms: int = _HOUR_MS
    """Lifetime of a lobby after its last change."""
    game_lifetime_ms: int = 7 * _DAY_MS
    """Lifetime of a game after its last change."""
    finished_lifetime_ms: int = 30 * _DAY_MS
    """How long a finished game can be read."""
    bots_lifetime_ms: int = _HOUR_MS
    """How long a finished game without players can be read."""
    heartbeat_seconds: float = 15.0
    """Interval at which an idle stream sends a heartbeat and checks the store for missed entries."""
    uptime_skew_seconds: float = 2.0
    """Upper bound of the difference between replicas' values of the store uptime, also after a crash."""
    presence_seconds: float = 5.0
    """Interval at which presence is recorded, in sessions that track it."""
    kept_seats_ms: int = 120_000
    """How long the host of a rematch has no power over it while a player of the finished game has not answered."""
    away_ms: int = 30_000
    """A player who was not seen for this long is absent."""
    connections: int = 4096
    """Maximum connections of each port, if there are enough file descriptors (``wiring.file_descriptors``)."""
    cached_tables: int = 4096
    """Maximum number of decoded sessions in the table cache."""
    cached_table_bytes: int = 32 * 2**20
    """Maximum size of those sessions in total."""
    streams_per_token: int = 8
    """Open streams of one session on this server for each host or seat token."""
    spectator_streams: int = 2000
    """Open streams of one session on this server for all spectators in total, with or without a token."""
    spectators_per_address: int = 100
    """The part of those that one client address may have."""
