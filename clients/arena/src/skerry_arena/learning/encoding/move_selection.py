"""The selection of a move, action by action."""

from __future__ import annotations

from collections.abc import Sequence

from skerry_arena.learning.encoding.action_encoding import ActionSequence


class MoveSelection:
    """The selection of one of a seat's legal moves. It is immutable.

    The selection takes an action by itself if it is the only possible one. The exception is a single legal move, whose
    first action the seat must take. So each decision has at least one action, and every other action is a real choice.
    """

    __slots__ = ("_groups", "_indexes", "_sequences", "possible", "prefix")

    def __init__(self, sequences: Sequence[ActionSequence], indexes: Sequence[int] | None = None) -> None:
        """``sequences``: the actions of each move that can still be selected, at least one.

        ``indexes``: the indexes of these moves in the list of legal moves. By default, all in order.
        """
        self._sequences = sequences
        self._indexes = range(len(sequences)) if indexes is None else indexes
        least, most = min(sequences), max(sequences)
        length = 0
        if least != most:
            # What the first and the last of the sequences have in common, all have in common.
            while least[length] == most[length]:
                length += 1
        groups: dict[int, list[int]] = {}
        for number, sequence in enumerate(sequences):
            action = sequence[length]
            if action in groups:
                groups[action].append(number)
            else:
                groups[action] = [number]
        self._groups = groups
        self.prefix: ActionSequence = least[:length]
        """The actions so far."""
        self.possible: Sequence[int] = sorted(groups)
        """The possible next actions, ascending."""

    def take(self, action: int) -> MoveSelection | int:
        """Return the selection after an action, or the index of the move once it is complete.

        Raises KeyError for an action that is not possible.
        """
        remaining = self._groups[action]
        if len(remaining) == 1:
            return self._indexes[remaining[0]]
        sequences, indexes = self._sequences, self._indexes
        return MoveSelection([sequences[number] for number in remaining], [indexes[number] for number in remaining])
