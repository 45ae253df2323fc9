"""A decision that is spelled action by action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skerry_arena.learning.action_encoding import ActionEncoding, ActionSequence


class MoveSelection:
    """What one seat can spell: one of its legal moves.

    An action that nothing else could follow or replace is spelled by itself, but for the first of all. So there is one
    action at least for each decision, and a real choice behind every other.
    """

    def __init__(self, spelling: ActionEncoding, moves: Sequence[Any]) -> None:
        """``moves``: at least one."""
        self._words = dict(enumerate(map(spelling.spell, moves)))
        self.spelled: ActionSequence = ()
        """The actions so far."""
        self._common()

    def _common(self) -> None:
        """Spell what all that is left has in common, where something was spelled or there is a choice behind it."""
        words = list(self._words.values())
        if not self.spelled and len(words) == 1:
            return
        while len({word[: len(self.spelled) + 1] for word in words}) == 1 and self.spelled != words[0]:
            self.spelled = words[0][: len(self.spelled) + 1]

    @property
    def possible(self) -> Sequence[int]:
        """The actions that can be spelled next, ascending."""
        at = len(self.spelled)
        return sorted({word[at] for word in self._words.values()})

    def spell(self, action: int) -> int | None:
        """Spell one more; return the index of the move, once it is one. Raises KeyError for what cannot be spelled."""
        at = len(self.spelled)
        left = {index: word for index, word in self._words.items() if word[at] == action}
        if not left:
            raise KeyError(action)
        self._words = left
        self.spelled = (*self.spelled, action)
        if len(left) == 1:
            return next(iter(left))
        self._common()
        return None
