"""A worker plays games. Its contestants stay from game to game."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable

from skerry_arena.entrants import Entrant, builtin_factory, command_of
from skerry_arena.play.contestant import Contestant, InProcessPlayer
from skerry_arena.play.record import Record
from skerry_arena.play.referee import play
from skerry_arena.programs.keeper import end_with_parent
from skerry_arena.programs.program import Program
from skerry_arena.settings import Limits, Settings
from skerry_games.editions import load_packed_editions
from skerry_games.pairing.plan import PlannedGame


def contestant_of(one: Entrant, limits: Limits) -> Contestant:
    """Return the contestant of an entrant: built-in players in this process, others as programs."""
    make = builtin_factory(one)
    return InProcessPlayer(make) if make else Program(command_of(one), limits)


class Worker:
    """Plays games of one tournament."""

    def __init__(self, settings: Settings, contestant: Callable[[Entrant, Limits], Contestant] = contestant_of) -> None:
        """``contestant``: makes the contestant of an entrant."""
        self._settings = settings
        self._contestant_of = contestant
        self._contestants: dict[tuple[int, int], Contestant] = {}

    def play(self, game: PlannedGame) -> Record:
        """Play a game of the plan."""
        return play(self._settings, game, self.seated(game))

    def seated(self, game: PlannedGame) -> list[Contestant]:
        """Return the contestant of each seat. An entrant with several seats has a separate contestant for each."""
        taken: Counter[int] = Counter()
        seated = []
        for one in game.lineup:
            seated.append(self._contestant(one, taken[one]))
            taken[one] += 1
        return seated

    def _contestant(self, one: int, copy: int) -> Contestant:
        if (one, copy) not in self._contestants:
            self._contestants[one, copy] = self._contestant_of(self._settings.players[one], self._settings.limits)
        return self._contestants[one, copy]

    def close(self) -> None:
        """End all programs."""
        for contestant in self._contestants.values():
            contestant.close()


_worker: Worker | None = None
"""The worker of this process, if the process belongs to a pool."""


def begin(settings: Settings, editions: bytes, parent: int) -> None:
    """Make this process a worker. It ends with its parent and ignores interrupts, which the parent handles.

    ``editions``: those of the parent (``packed_editions``).
    """
    global _worker  # noqa: PLW0603 (a pool's process has no other place for its state)
    end_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    load_packed_editions(editions)
    _worker = Worker(settings)


def play_here(game: PlannedGame) -> Record:
    """Play a game with the worker of this process."""
    assert _worker is not None
    return _worker.play(game)
