"""A game in play, which follows from its seed and the choices of the seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from skerry_games.api import CHANCE, CHANCE_ACTS, AnyGame
from skerry_games.position import Position
from skerry_games.rng import SeededRng

FIRST_DRAW: Final = 3
"""The number of the first move's entry in the log of a session, after the entries of its creation and its start.
Chance draws by the numbers of entries (``docs/explanation/randomness.md``). So the service's tools can verify a game
of the arena."""


class Step(NamedTuple):
    """A move of a seat or of chance, and its events."""

    actor: int
    move: Any
    events: tuple[Any, ...]


class GameRun:
    """One game in play. It always waits for a decision of a seat, or is over."""

    def __init__(self, game: AnyGame, options: Any, seats: int, seed: bytes, draws: Sequence[int] = ()) -> None:
        """``draws``: the entry numbers of the moves of chance, if the log has other entries in between."""
        self._seed = seed
        self._draws = iter(draws)
        self.steps: list[Step] = []
        """All moves so far."""
        self.position = Position(game, game.setup(options, seats))
        """The current position."""
        self._let_chance_act()

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return not self.position.to_act

    @property
    def seat(self) -> int:
        """The seat to act. If several decide at once, the first one; they do not see each other's choice."""
        return self.position.to_act[0]

    def choose(self, choice: int, seat: int | None = None) -> None:
        """Make a legal move, given by its index. ``seat``: a seat to act. Default: ``self.seat``.

        Raises IndexError for an index outside the list of legal moves.
        """
        seat = self.seat if seat is None else seat
        moves = self.position.legal_moves(seat)
        if choice < 0:
            raise IndexError(choice)
        self._move(moves[choice], seat)
        self._let_chance_act()

    def _let_chance_act(self) -> None:
        while self.position.to_act == CHANCE_ACTS:
            number = next(self._draws, FIRST_DRAW + len(self.steps))
            self._move(self.position.draw(SeededRng(self._seed, number)), CHANCE)

    def _move(self, move: Any, actor: int) -> None:
        self.position = self.position.play(move, actor)
        self.steps.append(Step(actor, move, self.position.events))
