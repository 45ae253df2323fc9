"""A game with its options and its number of seats, as a program learns it: in numbers."""

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
    """What every environment has in common: the game, how moves are spelled, and how observations are told."""

    def __init__(self, game: str, seats: int | None = None, **options: Any) -> None:
        """``options``: fields of the game's ``Options``; ``seats``: as few as the game can be played with if none.

        Raises KeyError for an unknown game, TypeError for an unknown option or a value of another type, BadOptions,
        BoundsMissing.
        """
        self.game = game_of(game)
        self.options = options_of(self.game, options)
        self.seats = self.game.seats[0] if seats is None else seats
        self.game.setup(self.options, self.seats)  # so that bad options are refused here
        self.spelling = ActionEncoding(self.game)
        self.features = Features(self.game, self.options, self.seats)
        self.longest = self.spelling.longest - 1
        """The most actions of a move that is not spelled to its end."""

    @property
    def lowest(self) -> Numbers:
        """The lowest numbers of an observation."""
        return np.array([0, *[0] * self.longest, *(feature.low for feature in self.features.all)], np.int16)

    @property
    def highest(self) -> Numbers:
        """The highest numbers of an observation."""
        words = [self.spelling.size] * self.longest
        return np.array([self.seats - 1, *words, *(feature.high for feature in self.features.all)], np.int16)

    def decision(self, moves: Sequence[Any]) -> MoveSelection:
        """Return what a seat can spell whose legal moves these are."""
        return MoveSelection(self.spelling, moves)

    def numbers(self, seat: int, spelled: ActionSequence, view: Any) -> Numbers:
        """Return an observation: the seat, what it has spelled of its move (actions plus one, then zeros), its view.

        Nothing else goes in: not the state, and not what another seat has spelled.
        """
        word = [action + 1 for action in spelled] + [0] * (self.longest - len(spelled))
        return np.array([seat, *word, *self.features.numbers(view)], np.int16)
