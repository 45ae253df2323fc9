"""What is stored of ladders and bots, serialized with msgpack.

Changes compare the values that they replace with those that were read. So a new field needs a default, which is left
out: what an earlier build has stored then still compares equal.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from skerry_service.domain.record import Clock
from skerry_service.sessions.resources.field_values import reader_of

BOTS_RESOURCE, LADDERS_RESOURCE = "bots", "ladders"
"""The resources with one field for each bot and ladder, in the part ``ENTRIES``."""
ENTRIES = "entries"
GAMES, WAITING, BLOCKS, REPLICAS, COUNTS, STANDINGS = "games", "waiting", "blocks", "replicas", "counts", "standings"
"""Parts of a ladder: games in play, by session; waiting bots, by bot; blocks with a next game, by id; when replicas
were heard; numbers of results, by season; computed ratings, by season."""
ROWS_OF_A_CHUNK = 500


class RegisteredVersion(Struct, frozen=True, omit_defaults=True):
    """A version of a bot."""

    hash: str
    engine_commit: str
    registered_ms: int


class RegisteredEntry(Struct, frozen=True, omit_defaults=True):
    """A registered bot."""

    key: str
    """The name of the API key to which it belongs."""
    versions: tuple[RegisteredVersion, ...]
    """The newest first."""
    contact: str = ""
    woken: int = 0
    """Increases with each registration and each call that wakes the bot. A rest holds while it stays the same."""

    @property
    def hash(self) -> str:
        """The hash of the newest version."""
        return self.versions[0].hash


class StoredSeason(Struct, frozen=True, omit_defaults=True):
    """A season of a ladder. They are numbered from 1."""

    ruleset: str
    started_ms: int


class StoredLadder(Struct, frozen=True, omit_defaults=True):
    """A ladder."""

    game: str
    seats: int
    options: bytes
    clock: Clock
    people: bool
    """Whether it ranks people instead of bots."""
    seasons: tuple[StoredSeason, ...]
    closed: bool = False

    @property
    def season(self) -> int:
        """The number of the present season."""
        return len(self.seasons)


class LadderSeatRecord(Struct, frozen=True, omit_defaults=True):
    """A player of a game."""

    entrant: str
    """``bot/hash``, or the id of a person."""
    name: str
    """The name at the table."""


class OpenGame(Struct, frozen=True, omit_defaults=True):
    """A game in play. Any replica can create its session from this, once."""

    session: str
    season: int
    seats: tuple[LadderSeatRecord, ...]
    started_ms: int
    since: int
    """The store uptime in ms at which it was paired."""
    block: str
    number: int = 0
    """The number of the game in its block, from 0."""
    creation: bytes = b""
    """The request id of the session; empty for a table that a player created."""
    salt: bytes = b""
    """The salt of the session. The seat tokens derive from it."""


class GameRow(Struct, frozen=True, omit_defaults=True):
    """The result of a game."""

    session: str
    seats: tuple[LadderSeatRecord, ...]
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    failures: tuple[str, ...]
    """What each seat failed at; empty: nothing."""
    reason: str
    started_ms: int
    ended_ms: int
    block: str


class RestRecord(Struct, frozen=True, omit_defaults=True):
    """Why an entrant gets no games."""

    reason: str
    session: str
    since_ms: int
    woken: int
    """``RegisteredEntry.woken`` at that time."""


class EntrantRecord(Struct, frozen=True, omit_defaults=True):
    """What a season counts of one entrant."""

    name: str
    games: int = 0
    blocks: int = 0
    points: float = 0.0
    failures: int = 0
    failing: int = 0
    """Failures in succession, up to the latest game."""
    seen_ms: int = 0
    rest: RestRecord | None = None
    opponents: tuple[str, ...] = ()
    """The entrants of its latest game."""


class PairRecord(Struct, frozen=True, omit_defaults=True):
    """The results between two entrants. The first is the smaller by name."""

    wins: int = 0
    ties: int = 0
    losses: int = 0


class OpenBlock(Struct, frozen=True, omit_defaults=True):
    """A block whose next game has not begun."""

    seats: tuple[LadderSeatRecord, ...]
    """The players of the next game, by seat."""
    number: int
    """The number of that game."""
    until: int
    """The store uptime in ms until which its members are kept for it."""
    opened: int = 0
    """The number of results of the season when the block's latest game ended."""


class WaitingBot(Struct, frozen=True, omit_defaults=True):
    """A bot that waits for a game."""

    hash: str
    key: str
    since: int
    """The store uptime in ms."""
    replica: str
    """The replica that has its stream."""


class StandingsRecord(Struct, frozen=True, omit_defaults=True):
    """The computed ratings of a season."""

    games: int
    """The number of results that they follow from."""
    ratings: Mapping[str, tuple[float, float, float]]
    """For each entrant, the rating and its interval."""


def entrant_of(bot: str, version: str) -> str:
    """Return the name of a version of a bot as an entrant."""
    return f"{bot}/{version}"


def bot_of_entrant(entrant: str) -> str:
    """Return the bot of an entrant."""
    return entrant.partition("/")[0]


def ladder_resource(ladder: str) -> str:
    """Return the resource of a ladder's data."""
    return f"ladder:{ladder}"


def entrants_part(season: int) -> str:
    """Return the part with the entrants of a season."""
    return f"entrants.{season}"


def pairs_part(season: int) -> str:
    """Return the part with the results between entrants: fields ``first|second``."""
    return f"pairs.{season}"


def recorded_part(season: int) -> str:
    """Return the part with the sessions of people that were recorded in a season."""
    return f"recorded.{season}"


def rows_part(season: int, chunk: int) -> str:
    """Return the part with results of a season, by number."""
    return f"rows.{season}.{chunk}"


read_bot = reader_of(RegisteredEntry)
read_ladder = reader_of(StoredLadder)
read_game = reader_of(OpenGame)
read_row = reader_of(GameRow)
read_entrant = reader_of(EntrantRecord)
read_pair = reader_of(PairRecord)
read_block = reader_of(OpenBlock)
read_waiting = reader_of(WaitingBot)
read_standings = reader_of(StandingsRecord)
