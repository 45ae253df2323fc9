"""Plays games on a Ray cluster: an actor for each worker, each of them as a process of the pool. The extra ``ray``."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from types import TracebackType
from typing import Any, Final, Self

# Nobody is told that a tournament is played, and nothing of Ray's is written between what this program says.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

import ray
from ray.exceptions import RayActorError

from skerry_arena.plan import Game
from skerry_arena.play.record import Record
from skerry_arena.running.pool import AHEAD, TRIES, Halted, WorkersKilled
from skerry_arena.running.worker import Worker
from skerry_arena.settings import Settings

_DIED: Final = "Workers of the cluster were killed three times in a row. Is there enough memory?"


class _Actor:
    """A worker somewhere in the cluster."""

    def __init__(self, settings: Settings, folder: str) -> None:
        with suppress(OSError):  # where that machine has the folder, classes and programs are found in it
            os.chdir(folder)
        self._worker = Worker(settings)

    def play(self, game: Game) -> Record:
        return self._worker.play(game)


class RayEngine:
    """Spreads games over a cluster: the one that RAY_ADDRESS names, or else one of its own on this machine.

    Use it in a ``with`` statement: a cluster of its own ends with it.
    """

    def __init__(self, workers: int | None) -> None:
        """``workers``: how many; as many as the cluster has processors if not given."""
        self._workers = workers

    def __enter__(self) -> Self:
        """Connect. Raises Halted."""
        alone = "RAY_ADDRESS" not in os.environ
        try:
            ray.init(
                address="local" if alone else None,
                num_cpus=self._workers if alone else None,
                include_dashboard=False if alone else None,
                log_to_driver=False,
                logging_level="ERROR",
            )
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise Halted(f"There is no Ray cluster to play on: {' '.join(str(error).split())}") from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        ray.shutdown()

    def __call__(self, settings: Settings, games: Iterable[Game]) -> Generator[list[Record]]:
        """Play games; yield them as they are finished. Raises WorkersKilled."""
        hall = _ActorPool(settings, self._workers or int(ray.cluster_resources().get("CPU", 1)))
        try:
            yield from hall.play(iter(games))
        finally:
            hall.close()


class _ActorPool:
    """The actors of one run, and what they play."""

    def __init__(self, settings: Settings, workers: int) -> None:
        self._settings = settings
        self._actors = [self._new_actor() for _ in range(workers)]
        self._under_way: dict[Any, tuple[int, Game]] = {}
        """By reference to the record that is to come: which actor plays what."""

    def _new_actor(self) -> Any:
        # A player may use all of a processor; one that dies is replaced here, as its game has to be begun again.
        return ray.remote(num_cpus=1)(_Actor).remote(self._settings, os.getcwd())

    def play(self, games: Iterator[Game]) -> Iterator[list[Record]]:
        """Yield games as they are finished. Some wait at each actor, so that none waits for a game."""
        died = 0
        while True:
            for game in islice(games, len(self._actors) * AHEAD - len(self._under_way)):
                self._hand_over(game)
            if not self._under_way:
                return
            (done,), _ = ray.wait(list(self._under_way))
            try:
                record: Record = ray.get(done)
            except RayActorError:
                if (died := died + 1) == TRIES:
                    raise WorkersKilled(_DIED) from None
                self._replace(self._under_way[done][0])
            else:
                died = 0
                del self._under_way[done]
                yield [record]

    def _hand_over(self, game: Game) -> None:
        busy = [which for which, _ in self._under_way.values()]
        which = min(range(len(self._actors)), key=busy.count)
        self._under_way[self._actors[which].play.remote(game)] = which, game

    def _replace(self, which: int) -> None:
        """Have another actor, and give it all that the dead one had."""
        lost = [(reference, game) for reference, (owner, game) in self._under_way.items() if owner == which]
        self._actors[which] = self._new_actor()
        for reference, game in lost:
            del self._under_way[reference]
            self._hand_over(game)

    def close(self) -> None:
        """End the actors: there is no game to wait for."""
        for actor in self._actors:
            ray.kill(actor)
