"""A game in play, for a learning program: what each seat observes, and its moves, action by action."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

import numpy as np

from skerry_arena.learning.encoding.game_encoding import GameEncoding
from skerry_arena.learning.encoding.move_selection import MoveSelection
from skerry_arena.learning.encoding.observation_encoding import Numbers
from skerry_arena.learning.returns import returns
from skerry_games.position import Position
from skerry_games.rng import Dice

SEEDS: Final = 1 << 62
"""The number of seeds of an episode."""
Mask = np.ndarray[Any, np.dtype[np.int8]]


class Episode:
    """One game in play. It always waits for a decision of a seat, or is over."""

    def __init__(self, encoding: GameEncoding, seed: int) -> None:
        """``seed``: that of all chance moves. Equal seeds and equal actions give equal games."""
        self.encoding = encoding
        self._dice = Dice(Random(seed))
        first = Position(encoding.game, encoding.game.setup(encoding.options, encoding.seats))
        self.position = first.drawn(self._dice)
        """The current position."""
        self._rows: Numbers = np.empty((encoding.seats, encoding.observations.size), np.int16)
        self._begin_decision()

    def _begin_decision(self) -> None:
        self.to_act: tuple[int, ...] = self.position.to_act
        """The seats to act; several if they decide at once. Empty when the game is over."""
        self._moves: dict[int, Sequence[Any]] = {}
        self._selections: dict[int, MoveSelection] = {}
        self._observed: set[int] = set()

    @property
    def returns(self) -> tuple[float, ...]:
        """The returns of each seat; zeros before the game is over."""
        outcome = self.position.outcome
        return (0.0,) * self.encoding.seats if outcome is None else returns(outcome.ranks)

    def selection(self, seat: int) -> MoveSelection | None:
        """Return a seat's selection of a move; ``None`` if it is not to act."""
        selection = self._selections.get(seat)
        if selection is None and seat in self.to_act:
            self._moves[seat] = moves = self.position.legal_moves(seat)
            self._selections[seat] = selection = self.encoding.selection(moves)
        return selection

    def observe(self, seat: int) -> Numbers:
        """Return the observation of a seat, in an array that the next call changes: copy it to keep it."""
        row: Numbers = self._rows[seat]
        if seat not in self._observed:
            selection = self.selection(seat)
            prefix = () if selection is None else selection.prefix
            self.encoding.observations.fill(row, seat, prefix, self.position.view(seat))
            self._observed.add(seat)
        return row

    def mask(self, seat: int) -> Mask:
        """Return the mask of a seat: 1 for each possible action. All zeros if it is not to act."""
        out: Mask = np.zeros(self.encoding.actions.size, np.int8)
        self.fill_mask(out, seat)
        return out

    def fill_mask(self, out: Mask, seat: int) -> None:
        """Write the mask of a seat into an array of zeros."""
        selection, flags = self.selection(seat), out.data
        if selection is not None:
            for action in selection.possible:
                flags[action] = 1

    def take(self, action: int, seat: int) -> bool:
        """Take an action of a seat to act. Return whether it completed a move.

        Raises ValueError for an action that is not possible, and changes nothing.
        """
        selection = self.selection(seat)
        try:
            taken = None if selection is None else selection.take(action)
        except KeyError:
            taken = None
        if taken is None:
            raise ValueError(f"The action {action} is not possible now. Take an action of the mask.")
        if isinstance(taken, MoveSelection):
            self._selections[seat] = taken
            if seat in self._observed:  # The view stays the same.
                self.encoding.observations.fill_prefix(self._rows[seat], taken.prefix)
            return False
        self.play(self._moves[seat][taken], seat)
        return True

    def play(self, move: Any, seat: int) -> None:
        """Make a whole move of a seat to act. Raises IllegalMove, MalformedMove, WrongActor."""
        selections, moves = self._selections, self._moves
        self.position = self.position.play(move, seat, self._dice)
        self._begin_decision()
        # Seats that decide at once do not affect each other's selections.
        for other in self.to_act:
            if other != seat and other in selections:
                self._selections[other], self._moves[other] = selections[other], moves[other]
