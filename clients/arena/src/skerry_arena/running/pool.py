"""A pool of processes that play. It holds few games at a time, so memory does not grow with the tournament."""

from __future__ import annotations

import os
import signal
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import chain, islice
from multiprocessing import active_children, get_context
from typing import Final

from skerry_arena.play.record import Record
from skerry_arena.running import worker
from skerry_arena.running.worker import Worker
from skerry_arena.settings import Settings
from skerry_games.editions import packed_editions
from skerry_games.pairing.plan import PlannedGame

AHEAD: Final = 4
"""The number of games queued for each process, so that no process waits for a game."""
TRIES: Final = 3


class Halted(Exception):
    """The tournament cannot continue for now. The message is a sentence."""


class WorkersKilled(Halted):
    """The worker processes were killed several times in a row."""


def play_all(settings: Settings, games: Iterable[PlannedGame], *, workers: int) -> Generator[list[Record]]:
    """Play games and yield them as they finish. Raises WorkersKilled.

    ``workers``: the number of processes; 0 plays in this process.
    """
    if workers == 0:
        yield from _play_here(settings, games)
        return
    rest, failed = iter(games), 0
    while True:
        lost: list[PlannedGame] = []
        for finished in _play_in_pool(settings, rest, workers, lost):
            failed = 0
            yield finished
        if not lost:
            return
        if (failed := failed + 1) == TRIES:
            raise WorkersKilled("The worker processes were killed three times in a row. Is there enough memory?")
        rest = chain(lost, rest)


def _play_here(settings: Settings, games: Iterable[PlannedGame]) -> Iterator[list[Record]]:
    alone = Worker(settings)
    try:
        for game in games:
            yield [alone.play(game)]
    finally:
        alone.close()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Put interrupts off while a process is started: here, and there until it leaves them to this one."""
    came = list[int]()
    handler = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        signal.signal(signal.SIGINT, handler)
    if came:
        signal.raise_signal(signal.SIGINT)


def _play_in_pool(
    settings: Settings, games: Iterator[PlannedGame], workers: int, lost: list[PlannedGame]
) -> Iterator[list[Record]]:
    """Play all games. If a process is killed, ``lost`` gets the unfinished games."""
    pool = ProcessPoolExecutor(
        workers,
        mp_context=get_context("spawn"),
        initializer=worker.begin,
        initargs=(settings, packed_editions(), os.getpid()),
    )
    under_way: dict[Future[Record], PlannedGame] = {}
    before = set(active_children())
    try:
        while True:
            for game in islice(games, workers * AHEAD - len(under_way)):
                lost.append(game)  # until the pool has it
                with _uninterrupted():
                    under_way[pool.submit(worker.play_here, game)] = game
                lost.pop()
            if not under_way:
                return
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            finished = [future.result() for future in done]
            for future in done:
                del under_way[future]
            yield finished
    except BrokenProcessPool:
        lost.extend(under_way.values())
    finally:
        # All games are finished or no longer wanted, so the processes can be killed.
        for process in set(active_children()) - before:
            process.kill()
        pool.shutdown(cancel_futures=True)
