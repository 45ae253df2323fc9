"""An engine that plays games on a Ray cluster, with an actor for each worker. Needs the extra ``ray``."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from types import TracebackType
from typing import Any, Final, Self

# Ray sends no usage statistics and writes no messages of its own to the terminal.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

import ray
from ray.exceptions import RayActorError

from skerry_arena.play.record import Record
from skerry_arena.running.pool import AHEAD, TRIES, Halted, WorkersKilled
from skerry_arena.running.worker import Worker
from skerry_arena.settings import Settings
from skerry_games.editions import load_packed_editions, packed_editions
from skerry_games.pairing.plan import PlannedGame

_DIED: Final = "Workers of the cluster were killed three times in a row. Is there enough memory?"


class _Actor:
    """A worker in the cluster."""

    def __init__(self, settings: Settings, editions: bytes, folder: str) -> None:
        with suppress(OSError):  # if that machine has the folder, players can be files in it
            os.chdir(folder)
        load_packed_editions(editions)
        self._worker = Worker(settings)

    def play(self, game: PlannedGame) -> Record:
        return self._worker.play(game)


class RayEngine:
    """Spreads games over the cluster at RAY_ADDRESS, or over a new local cluster without that variable.

    Use it in a ``with`` statement, which ends a local cluster.
    """

    def __init__(self, workers: int | None) -> None:
        """``workers``: the number of workers. Default: the number of processors of the cluster."""
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
            raise Halted(f"The Ray cluster is unavailable: {' '.join(str(error).split())}") from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        ray.shutdown()

    def __call__(self, settings: Settings, games: Iterable[PlannedGame]) -> Generator[list[Record]]:
        """Play games and yield them as they finish. Raises WorkersKilled."""
        pool = _ActorPool(settings, self._workers or int(ray.cluster_resources().get("CPU", 1)))
        try:
            yield from pool.play(iter(games))
        finally:
            pool.close()


class _ActorPool:
    """The actors of one run, and their games."""

    def __init__(self, settings: Settings, workers: int) -> None:
        self._settings = settings
        self._actors = [self._new_actor() for _ in range(workers)]
        self._under_way: dict[Any, tuple[int, PlannedGame]] = {}
        """The actor and the game of each pending record, by Ray's reference."""

    def _new_actor(self) -> Any:
        # A player may use a whole processor. The engine replaces dead actors itself, to start their games again.
        return ray.remote(num_cpus=1)(_Actor).remote(self._settings, packed_editions(), os.getcwd())

    def play(self, games: Iterator[PlannedGame]) -> Iterator[list[Record]]:
        """Yield games as they finish. Each actor has a queue, so that no actor waits for a game."""
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

    def _hand_over(self, game: PlannedGame) -> None:
        busy = [which for which, _ in self._under_way.values()]
        which = min(range(len(self._actors)), key=busy.count)
        self._under_way[self._actors[which].play.remote(game)] = which, game

    def _replace(self, which: int) -> None:
        """Replace a dead actor and give its games to others."""
        lost = [(reference, game) for reference, (owner, game) in self._under_way.items() if owner == which]
        self._actors[which] = self._new_actor()
        for reference, game in lost:
            del self._under_way[reference]
            self._hand_over(game)

    def close(self) -> None:
        """End the actors."""
        for actor in self._actors:
            ray.kill(actor)
