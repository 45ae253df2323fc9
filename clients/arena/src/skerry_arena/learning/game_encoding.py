"""The encoding of a game, with its options and its number of seats, as numbers for learning programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from skerry_arena.learning.action_encoding import ActionEncoding, ActionSequence
from skerry_arena.learning.features import Features
from skerry_arena.learning.move_selection import MoveSelection
from skerry_games.position import game_of, options_of

Numbers = np.ndarray[Any, np.dtype[np.int16]]


class GameEncoding:
    """The common part of all environments: the game, and the encodings of moves and observations."""

    def __init__(self, game: str, seats: int | None = None, **options: Any) -> None:
        """``options``: fields of the game's ``Options``. ``seats``: Default: the smallest number that the game allows.

        Raises KeyError for an unknown game, TypeError for an unknown option or a value of another type, BadOptions,
        BoundsMissing.
        """
        self.game = game_of(game)
        self.options = options_of(self.game, options)
        self.seats = self.game.seats[0] if seats is None else seats
        self.game.setup(self.options, self.seats)  # rejects invalid options
        self.actions = ActionEncoding(self.game)
        self.features = Features(self.game, self.options, self.seats)
        self.longest = self.actions.longest - 1
        """The most actions of an incomplete move."""

    @property
    def lowest(self) -> Numbers:
        """The lowest numbers of an observation."""
        return np.array([0, *[0] * self.longest, *(feature.low for feature in self.features.all)], np.int16)

    @property
    def highest(self) -> Numbers:
        """The highest numbers of an observation."""
        prefix = [self.actions.size] * self.longest
        return np.array([self.seats - 1, *prefix, *(feature.high for feature in self.features.all)], np.int16)

    def decision(self, moves: Sequence[Any]) -> MoveSelection:
        """Return the selection among a seat's legal moves."""
        return MoveSelection(self.actions, moves)

    def numbers(self, seat: int, prefix: ActionSequence, view: Any) -> Numbers:
        """Return an observation: the seat, the actions of its incomplete move (each plus one, then zeros), its view.

        It depends on nothing else: not on the state, and not on the incomplete move of another seat.
        """
        padded = [action + 1 for action in prefix] + [0] * (self.longest - len(prefix))
        return np.array([seat, *padded, *self.features.numbers(view)], np.int16)
