"""The settings of a tournament as far as they decide who plays whom."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, Protocol

PAIR: Final = 2
"""The number of seats of a table for a pair."""


class Format(StrEnum):
    """The choice of the players for each game."""

    ROUND_ROBIN = "round-robin"
    """Every choice of as many players as seats, equally often."""
    GAUNTLET = "gauntlet"
    """The first player against each of the others, which takes all other seats."""
    SWISS = "swiss"
    """In each round, players with similar results meet."""
    KNOCKOUT = "knockout"
    """In each round, the best player of each table advances."""


class TieBreak(StrEnum):
    """A rule that orders players of a Swiss tournament with the same result."""

    BUCHHOLZ = "buchholz"
    """The mean result of the opponents that a player met."""
    HEAD_TO_HEAD = "head-to-head"
    """The share of each other that the players have beaten, if all of them have met."""


class Named(Protocol):
    """A player of a tournament."""

    @property
    def name(self) -> str:
        """Unique in the tournament. Results refer to it."""


class TournamentForm(Protocol):
    """What the plan, the pairing and the places of a tournament follow from, together with its results."""

    @property
    def players(self) -> Sequence[Named]:
        """The players. The package refers to them by their indexes."""

    @property
    def table(self) -> int:
        """The number of seats of a game."""

    @property
    def games(self) -> int:
        """The least number of games, rounded up to whole blocks. In rounds, it applies to each table of each round."""

    @property
    def format(self) -> Format:
        """The format."""

    @property
    def rounds(self) -> int | None:
        """The number of rounds of a Swiss tournament. ``None``: the binary logarithm of the players, rounded up."""

    @property
    def tie_breaks(self) -> Sequence[TieBreak]:
        """The rules for the places of players with the same result in a Swiss tournament, in their order."""

    @property
    def playoffs(self) -> int:
        """The most play-offs at a table of a knockout. After them, the lot decides."""

    @property
    def seed(self) -> str:
        """The seed of all lots."""
