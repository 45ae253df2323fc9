"""What is stored of tournaments, serialized with msgpack. New fields need a default, as in ``ladder_records``."""

from __future__ import annotations

from enum import IntEnum
from hashlib import blake2b
from math import comb

from msgspec import Struct

from skerry_games.pairing import rounds as pairing_rounds
from skerry_games.pairing.form import Format, TieBreak
from skerry_service.domain.record import Clock
from skerry_service.domain.tokens import join_code
from skerry_service.sessions.resources.field_values import reader_of

TOURNAMENTS_RESOURCE = "tournaments"
"""The resource with the ids of all tournaments."""
ACTIVE, ENDED = "active", "ended"
"""Its parts: tournaments that are open or have games to play, and the others. The value is a time in ms, by which they
are sorted: that of creation, and ``kept_ms``."""
ENTRY, GAMES, RESULTS = "entry", "games", "results"
"""Parts of a tournament: the tournament itself, its games in play by number, and its results by number."""
VALUE, STEP = "value", "step"
"""Fields of the part ENTRY: the tournament, and a number that increases with each change of the games in play."""

_UNSTARTED_MS = 10**14
"""More than any time of the present, in ms."""


class TournamentState(IntEnum):
    """The state of a tournament. The numbers are stored and equal those of the API."""

    OPEN = 1
    RUNNING = 2
    FINISHED = 3
    CANCELLED = 4


class TournamentEntrant(Struct, frozen=True, omit_defaults=True):
    """A bot or a person that has entered."""

    number: int
    """From 1, in the order of entry. The number of an entrant that has left is not given again."""
    name: str
    """Unique in the tournament."""
    token: bytes
    """Digest of the entrant token."""
    bot: str = ""
    """The id of the bot; empty for a person."""
    player_id: str = ""
    """A person's id, as in JoinSession."""


class StoredTournament(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A tournament: a ``skerry_games.pairing.form.TournamentForm`` once it runs."""

    title: str
    game: str
    ruleset: str
    seats: int
    options: bytes
    clock: Clock
    format: Format
    rounds: int | None = None
    meetings: int = 1
    """How many blocks the players of a table play. A block has as many games as seats."""
    most_entrants: int
    at_once: int = 1
    """Games of an entrant in play at the same time."""
    start_ms: int = 0
    """When it starts by itself; 0: when the organizer starts it."""
    created_ms: int
    salt: bytes
    """Lots, session ids and tokens derive from it."""
    organizer: bytes
    """Digest of the organizer token."""
    request: bytes
    """Identifies the request that created it."""
    state: TournamentState = TournamentState.OPEN
    entrants: tuple[TournamentEntrant, ...] = ()
    next_number: int = 1
    """The number of the next entrant."""
    started_ms: int = 0
    ended_ms: int = 0
    reason: str = ""
    """Why it was cancelled."""
    share: int = 0
    """The share of the caller that created it. See ``access.caller_shares``."""
    requires_join_code: bool = False
    """Whether entering needs the join code."""
    cell: str = ""
    """The cell of the ids of its sessions; empty in an installation without one."""
    application: str = ""
    """The name of the API key that created it, whose webhook endpoints get the events of its games; empty: none."""

    @property
    def applications(self) -> tuple[str, ...]:
        """See ``Record.applications``, of its sessions."""
        return (self.application,) if self.application else ()

    @property
    def join_code(self) -> str | None:
        """The code with which bots and people can enter; ``None`` if they need none."""
        return join_code(self.salt) if self.requires_join_code else None

    @property
    def players(self) -> tuple[TournamentEntrant, ...]:
        """The entrants."""
        return self.entrants

    @property
    def table(self) -> int:
        """The number of seats."""
        return self.seats

    @property
    def games(self) -> int:
        """See ``TournamentForm``."""
        return self.seats * self.meetings * self._tables(len(self.entrants))

    def _tables(self, entrants: int) -> int:
        """Return the tables whose games ``games`` counts."""
        if self.format is Format.ROUND_ROBIN:
            return comb(entrants, self.seats)
        return entrants - 1 if self.format is Format.GAUNTLET else 1

    def most_games(self, entrants: int) -> int:
        """Return how many games it has with so many entrants, without play-offs."""
        tables = self._tables(entrants)
        if self.format is Format.SWISS:
            rounds = self.rounds or max(1, (entrants - 1).bit_length())
            tables = rounds * (entrants // self.seats)
        elif self.format is Format.KNOCKOUT:
            tables = entrants
        return tables * self.seats * self.meetings

    @property
    def tie_breaks(self) -> tuple[TieBreak, ...]:
        """See ``TournamentForm``."""
        return (TieBreak.BUCHHOLZ, TieBreak.HEAD_TO_HEAD)

    @property
    def playoffs(self) -> int:
        """See ``TournamentForm``."""
        return 5

    @property
    def seed(self) -> str:
        """See ``TournamentForm``."""
        return blake2b(self.salt, digest_size=32, person=b"pairing").hexdigest()

    @property
    def in_rounds(self) -> bool:
        """Whether tables depend on earlier results."""
        return self.format in pairing_rounds.IN_ROUNDS


class BegunGame(Struct, frozen=True, omit_defaults=True):
    """A game in play. Its number says under which session."""

    started_ms: int
    lineup: tuple[int, ...]
    """For each seat, the index of its entrant."""


class TournamentResult(Struct, frozen=True, omit_defaults=True):
    """The result of a game: a ``skerry_games.pairing.match.FinishedGame``."""

    session: str
    lineup: tuple[str, ...]
    """The names of the entrants, by seat."""
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    failures: tuple[str, ...]
    """What each seat failed at; empty: nothing."""
    reason: str
    started_ms: int
    ended_ms: int
    counts: bool = True
    """Whether the game has a result."""


DAMAGED_RESULT = TournamentResult("", (), (), (), (), "", 0, 0, counts=False)
"""Stands for a result that cannot be read. The game does not count."""


def kept_ms(tournament: StoredTournament) -> int:
    """Return the time in ms by which an ended tournament is sorted, and removed once there are too many.

    A tournament that never started sorts before all that did, so creating and cancelling removes no results.
    """
    return tournament.ended_ms if tournament.started_ms else tournament.ended_ms - _UNSTARTED_MS


def tournament_resource(tournament: str) -> str:
    """Return the resource of a tournament."""
    return f"tournament:{tournament}"


read_tournament = reader_of(StoredTournament)
read_begun = reader_of(BegunGame)
read_result = reader_of(TournamentResult)
