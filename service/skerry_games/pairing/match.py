"""A table of a round, its games, and its result."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from msgspec import Struct

Players = tuple[int, ...]
"""The players of a table, by their indexes in the settings."""


class Match(Struct, frozen=True):
    """A table of a round, and its result."""

    table: Players
    shares: tuple[float | None, ...]
    """The share of opponents that each player has beaten there; ``None`` if no game counts."""
    playoff: int = 0
    """The number of the play-off, from 1; 0 for a table of the round itself."""

    @property
    def best(self) -> Players:
        """The players with the largest share, in the order of the table. All players if no game counts."""
        known = [share for share in self.shares if share is not None]
        if not known:
            return self.table
        return tuple([one for one, share in zip(self.table, self.shares, strict=True) if share == max(known)])


class FinishedGame(Protocol):
    """The result of a game."""

    @property
    def lineup(self) -> Sequence[str]:
        """The names of the players, by seat."""

    @property
    def ranks(self) -> Sequence[int]:
        """The ranks, by seat."""

    @property
    def counts(self) -> bool:
        """Whether the game counts. A void game does not."""


def share_in(games: Sequence[FinishedGame], name: str, among: Collection[str] | None = None) -> float | None:
    """Return the share of opponents that a player has beaten in these games; ``None`` if it met no opponent.

    ``among``: the names of opponents. Default: all.
    """
    won = [
        beaten(rank, other)
        for result in games
        if result.counts
        for rank, player in zip(result.ranks, result.lineup, strict=True)
        for other, opponent in zip(result.ranks, result.lineup, strict=True)
        if player == name and opponent != name and (among is None or opponent in among)
    ]
    return sum(won) / len(won) if won else None


def beaten(rank: int, other: int) -> float:
    """Return 1 for the better rank, 0.5 for a tie, else 0."""
    return ((rank < other) + (rank <= other)) / 2
