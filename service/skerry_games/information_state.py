"""A game as one seat knows it: what a player decides on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from skerry_games.api import AnyGame
from skerry_games.position import Position
from skerry_games.rng import Rng


class InformationState(Protocol):
    """What a seat that has to decide may know of a game, and nothing else. The true state is not to be had from it.

    A small protocol, so that it can be kept by whoever knows that much: this process (``seen_from``), or the client of
    a service somewhere else.
    """

    @property
    def game(self) -> AnyGame:
        """The rules."""

    @property
    def seat(self) -> int:
        """Whose knowledge it is. This seat is to act."""

    @property
    def view(self) -> Any:
        """What the seat sees: the game's own view."""

    @property
    def legal_moves(self) -> Sequence[Any]:
        """All moves that the seat can make, at least one."""

    def sample(self, rng: Rng) -> Position:
        """Return a position that the seat cannot tell from the true one, all that it cannot know drawn anew."""


class _Seen:
    """A standpoint that holds one of the positions that its seat holds possible, and not the true one."""

    __slots__ = ("_possible", "_seat")

    def __init__(self, possible: Position, seat: int) -> None:
        self._possible = possible
        self._seat = seat

    @property
    def game(self) -> AnyGame:
        return self._possible.game

    @property
    def seat(self) -> int:
        return self._seat

    @property
    def view(self) -> Any:
        return self._possible.view(self._seat)

    @property
    def legal_moves(self) -> Sequence[Any]:
        return self._possible.legal_moves(self._seat)

    def sample(self, rng: Rng) -> Position:
        return self._possible.redeal(self._seat, rng)


def seen_from(position: Position, seat: int, rng: Rng) -> InformationState:
    """Return the position as that seat knows it.

    ``position`` may be the true one, or any other that the seat cannot tell from it: a sample, for instance, that came
    from a service. What is kept is dealt anew at once, so nobody finds the true one there.
    """
    return _Seen(position.redeal(seat, rng), seat)
