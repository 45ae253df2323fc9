"""A process that plays games: the programs that it needs stay with it from game to game."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable

from skerry_arena.entrants import Entrant, command_of, make_shipped
from skerry_arena.plan import Game
from skerry_arena.play.contestant import Contestant, InProcessPlayer
from skerry_arena.play.record import Record
from skerry_arena.play.referee import play
from skerry_arena.programs.program import Program
from skerry_arena.programs.resource_limits import end_with_parent
from skerry_arena.settings import Limits, Settings


def contestant_of(one: Entrant, limits: Limits) -> Contestant:
    """Return who plays: players that come with the rules in this process, others in one of their own."""
    make = make_shipped(one)
    return InProcessPlayer(make) if make else Program(command_of(one), limits)


class Worker:
    """Plays games of one tournament."""

    def __init__(self, settings: Settings, contestant: Callable[[Entrant, Limits], Contestant] = contestant_of) -> None:
        """``contestant``: who plays for an entrant."""
        self._settings = settings
        self._contestant_of = contestant
        self._there: dict[tuple[int, int], Contestant] = {}

    def play(self, game: Game) -> Record:
        """Play a game of the plan."""
        return play(self._settings, game, self.seated(game))

    def seated(self, game: Game) -> list[Contestant]:
        """Return who sits in each seat. Whoever sits in several is there as often, and none knows of the other."""
        taken: Counter[int] = Counter()
        seated = []
        for one in game.lineup:
            seated.append(self._contestant(one, taken[one]))
            taken[one] += 1
        return seated

    def _contestant(self, one: int, copy: int) -> Contestant:
        if (one, copy) not in self._there:
            self._there[one, copy] = self._contestant_of(self._settings.players[one], self._settings.limits)
        return self._there[one, copy]

    def close(self) -> None:
        """End all programs."""
        for one in self._there.values():
            one.close()


_worker: Worker | None = None
"""That of this process, where it is one of a pool."""


def begin(settings: Settings, parent: int) -> None:
    """Make this process a worker, which ends with its parent and leaves interrupts to it."""
    global _worker  # noqa: PLW0603 (a pool's process has no other place for what is to stay)
    end_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    _worker = Worker(settings)


def play_here(game: Game) -> Record:
    """Play a game in a process that has begun."""
    assert _worker is not None
    return _worker.play(game)
