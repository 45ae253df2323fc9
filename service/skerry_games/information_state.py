"""The information state of a seat: everything that a bot may use to choose a move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from skerry_games.api import AnyGame
from skerry_games.position import Position
from skerry_games.rng import Rng


class InformationState(Protocol):
    """What a seat knows of a game when it has to decide. The true state cannot be obtained from it.

    ``seen_from`` makes one of a position in this process. A client of a server may implement the protocol itself.
    """

    @property
    def game(self) -> AnyGame:
        """The rules of the game."""

    @property
    def seat(self) -> int:
        """The seat that has to decide."""

    @property
    def view(self) -> Any:
        """What the seat sees, as the game's own ``View``."""

    @property
    def legal_moves(self) -> Sequence[Any]:
        """All legal moves of the seat, at least one."""

    def sample(self, rng: Rng) -> Position:
        """Return a random position that the seat cannot tell from the true one. Hidden information is drawn anew."""


class _SampledInformationState:
    """An information state that keeps a sample instead of the true position."""

    __slots__ = ("_sample", "_seat")

    def __init__(self, sample: Position, seat: int) -> None:
        self._sample = sample
        self._seat = seat

    @property
    def game(self) -> AnyGame:
        return self._sample.game

    @property
    def seat(self) -> int:
        return self._seat

    @property
    def view(self) -> Any:
        return self._sample.view(self._seat)

    @property
    def legal_moves(self) -> Sequence[Any]:
        return self._sample.legal_moves(self._seat)

    def sample(self, rng: Rng) -> Position:
        return self._sample.redeal(self._seat, rng)


def seen_from(position: Position, seat: int, rng: Rng) -> InformationState:
    """Return the information state of a seat that has to decide in this position.

    ``position`` may be the true position, or a sample that the seat cannot tell from it, for example one from a
    server. The function samples at once with ``rng`` and does not keep ``position``.
    """
    return _SampledInformationState(position.redeal(seat, rng), seat)
