"""How a game goes on from choice to choice: the part of a game that follows from its seed and from what was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from skerry_games.api import CHANCE, CHANCE_ACTS, AnyGame
from skerry_games.position import Position
from skerry_games.rng import SeededRng

FIRST_DRAW: Final = 3
"""The number of the first entry that is a move, in the log of a session that begins with its creation and its start.
Entries are what chance draws by (``docs/explanation/randomness.md``), so that
a game of the arena can be checked as one of the service."""


class Step(NamedTuple):
    """A move of a seat or of chance, and what it brought."""

    actor: int
    move: Any
    events: tuple[Any, ...]


class GameRun:
    """One game in play, always at a decision of some seat, or over."""

    def __init__(self, game: AnyGame, options: Any, seats: int, seed: bytes, draws: Sequence[int] = ()) -> None:
        """``draws``: the entries at which chance drew, one after the other, where a log has others in between."""
        self._seed = seed
        self._draws = iter(draws)
        self.steps: list[Step] = []
        """All that has been moved."""
        self.position = Position(game, game.setup(options, seats))
        """As it stands."""
        self._let_chance_act()

    @property
    def over(self) -> bool:
        """Whether nobody is to act any more."""
        return not self.position.to_act

    @property
    def seat(self) -> int:
        """The seat that is to choose; of several that decide at once the first. They do not see each other's choice."""
        return self.position.to_act[0]

    def choose(self, choice: int, seat: int | None = None) -> None:
        """Make a move of that seat, or of another that is to choose, too.

        Raises IndexError for a place that is not in the list of its legal moves.
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
