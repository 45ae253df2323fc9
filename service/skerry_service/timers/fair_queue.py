"""Start-time fair queueing: divides work between shares, however much each one asks for.

Each share has a *level*: the work that it has received. The waiting share with the lowest level is next. A share that
was idle starts at the level of the queue, so it has no credit for the past and waits for no other backlog. The amount
of a piece of work is known only when it is done. Until then a guess is charged, which ``finish`` corrects. (Kubernetes
divides its API server in this way: API Priority and Fairness.)

Pure: no clock and no tasks. The unit of work is the caller's choice.
"""

from __future__ import annotations

from collections import deque
from typing import Generic, TypeVar

Item = TypeVar("Item")

OTHERS_EVERY = 8
"""Of so many items, one has no precedence if any such item waits. So these go on, too."""


class FairQueue(Generic[Item]):
    """Items that wait, by share. Items with precedence come first."""

    def __init__(self, guess: float, max_debt: float) -> None:
        """``guess``: the work of an item; ``max_debt``: how far a share's level can be from that of the queue."""
        self._guess, self._max_debt = guess, max_debt
        self._preferred: dict[int, deque[Item]] = {}
        self._others: dict[int, deque[Item]] = {}
        self._levels: dict[int, float] = {}
        """By share: the work that it has received. It never shrinks, as there are few shares."""
        self._level = 0.0
        """The highest level at which an item was taken."""
        self._passed_over = 0

    def __len__(self) -> int:
        return sum(len(items) for lane in (self._preferred, self._others) for items in lane.values())

    @property
    def has_preferred(self) -> bool:
        """Whether an item with precedence waits."""
        return bool(self._preferred)

    def add(self, share: int, item: Item, *, preferred: bool) -> None:
        """Let an item wait."""
        if share not in self._preferred and share not in self._others:
            self._levels[share] = max(self._levels.get(share, 0.0), self._level)
        lane = self._preferred if preferred else self._others
        lane.setdefault(share, deque()).append(item)

    def remove(self, share: int, item: Item) -> None:
        """Remove an item that waits no longer, if it is there."""
        for lane in (self._preferred, self._others):
            items = lane.get(share)
            if items and item in items:
                items.remove(item)
                if not items:
                    del lane[share]

    def take(self) -> tuple[int, Item]:
        """Remove the next item and return it with its share. Raises ValueError if none waits."""
        lane = self._next_lane()
        share = min(lane, key=lambda one: self._levels[one])
        item = lane[share].popleft()
        if not lane[share]:
            del lane[share]
        begins = max(self._levels[share], self._level - self._max_debt)
        self._level = max(self._level, begins)
        self._levels[share] = begins + self._guess
        return share, item

    def finish(self, share: int, work: float) -> None:
        """Charge the work of an item that was taken."""
        self._levels[share] = min(self._levels[share] - self._guess + work, self._level + self._max_debt)

    def _next_lane(self) -> dict[int, deque[Item]]:
        if not self._preferred or not self._others:
            self._passed_over = 0
            return self._preferred or self._others
        self._passed_over = (self._passed_over + 1) % OTHERS_EVERY
        return self._preferred if self._passed_over else self._others
