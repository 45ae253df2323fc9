"""The selection of a move, action by action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skerry_arena.learning.action_encoding import ActionEncoding, ActionSequence


class MoveSelection:
    """The selection of one of a seat's legal moves.

    The selection takes an action by itself if it is the only possible one. The exception is a single legal move, whose
    first action the seat must take. So each decision has at least one action, and every other action is a real choice.
    """

    def __init__(self, encoding: ActionEncoding, moves: Sequence[Any]) -> None:
        """``moves``: at least one."""
        self._sequences = dict(enumerate(map(encoding.encode, moves)))
        self.prefix: ActionSequence = ()
        """The actions so far."""
        self._take_common_actions()

    def _take_common_actions(self) -> None:
        """Take the actions that all remaining moves have in common."""
        sequences = list(self._sequences.values())
        if not self.prefix and len(sequences) == 1:
            return
        while len({each[: len(self.prefix) + 1] for each in sequences}) == 1 and self.prefix != sequences[0]:
            self.prefix = sequences[0][: len(self.prefix) + 1]

    @property
    def possible(self) -> Sequence[int]:
        """The possible next actions, ascending."""
        length = len(self.prefix)
        return sorted({each[length] for each in self._sequences.values()})

    def take(self, action: int) -> int | None:
        """Take an action. Return the index of the move once the selection is complete, else ``None``.

        Raises KeyError for an action that is not possible.
        """
        length = len(self.prefix)
        remaining = {index: each for index, each in self._sequences.items() if each[length] == action}
        if not remaining:
            raise KeyError(action)
        self._sequences = remaining
        self.prefix = (*self.prefix, action)
        if len(remaining) == 1:
            return next(iter(remaining))
        self._take_common_actions()
        return None
