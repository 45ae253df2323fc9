"""Many Gymnasium environments at once, in processes that share their arrays. Needs the extra ``gymnasium``.

    import gymnasium
    import skerry_arena.learning.gymnasium  # registers the games

    if __name__ == "__main__":  # because the other processes import this file
        games = gymnasium.make_vec("skerry/kreta-v0", num_envs=64, processes=2, opponents="easy")

Each process plays its part of the games one after the other, and writes observations, masks and rewards into memory
that the caller's process reads. So a step costs one message to each process, and one back.
"""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from skerry_arena.learning.encoding.game_encoding import GameEncoding
from skerry_arena.learning.gymnasium import SkerryEnv

_Array = np.ndarray[Any, np.dtype[Any]]
_SECONDS_TO_END: Final = 5


class _Column(NamedTuple):
    """An array with a row for each game."""

    dtype: Any
    width: tuple[int, ...] = ()


class _SharedArrays:
    """The arrays of all games, in memory that processes share."""

    def __init__(self, games: int, encoding: GameEncoding) -> None:
        self._games = games
        self._columns = {
            "observation": _Column(np.int16, (encoding.observations.size,)),
            "action_mask": _Column(np.int8, (encoding.actions.size,)),
            "action": _Column(np.int64),
            "reward": _Column(np.float64),
            "returns": _Column(np.float64, (encoding.seats,)),
            "over": _Column(np.bool_),
            "illegal": _Column(np.bool_),
        }
        context = get_context("spawn")
        sizes = {
            name: np.dtype(column.dtype).itemsize * int(np.prod((games, *column.width)))
            for name, column in self._columns.items()
        }
        self._memory = {name: context.RawArray("b", size) for name, size in sizes.items()}

    def rows(self, games: slice) -> dict[str, _Array]:
        """Return the rows of some games, by column."""
        return {
            name: np.frombuffer(self._memory[name], column.dtype).reshape(self._games, *column.width)[games]
            for name, column in self._columns.items()
        }


class _Part:
    """The games of one process."""

    def __init__(self, arrays: _SharedArrays, games: slice, arguments: dict[str, Any]) -> None:
        self._rows = arrays.rows(games)
        self._games = [SkerryEnv(**arguments) for _ in self._rows["action"]]

    def reset(self, seeds: Sequence[int | None]) -> None:
        """Start a game in each row."""
        for row, seed in enumerate(seeds):
            self._start(row, seed)

    def step(self) -> None:
        """Take the action of each row. A game that was over starts again instead."""
        rows = self._rows
        for row, (game, over, action) in enumerate(
            zip(self._games, rows["over"].tolist(), rows["action"].tolist(), strict=True)
        ):
            if over:
                self._start(row, None)
                continue
            rows["reward"][row], rows["over"][row], legal = game.act(action)
            rows["illegal"][row] = not legal
            rows["returns"][row] = game.episode.returns if legal else 0
            self._write(row)

    def _start(self, row: int, seed: int | None) -> None:
        self._games[row].start(seed)
        for name in ("reward", "returns", "over", "illegal"):
            self._rows[name][row] = 0
        self._write(row)

    def _write(self, row: int) -> None:
        """Write what the seat of a game observes."""
        game = self._games[row]
        self._rows["observation"][row] = game.episode.observe(game.seat)
        self._rows["action_mask"][row] = 0
        game.episode.fill_mask(self._rows["action_mask"][row], game.seat)


def _serve(connection: Connection, arrays: _SharedArrays, games: slice, arguments: dict[str, Any]) -> None:
    """Play some games in this process: for seeds a reset, for ``None`` a step. Respond with ``None`` or an error.

    Ends when the parent closes the connection, or ends.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The parent handles interrupts.
    part: _Part | None = None
    seeds: Sequence[int | None] | None = None
    while True:
        error = None
        try:
            if part is None:
                part = _Part(arrays, games, arguments)
            elif seeds is None:
                part.step()
            else:
                part.reset(seeds)
        except Exception:
            error = traceback.format_exc()
        try:
            connection.send(error)
            seeds = connection.recv()
        except (EOFError, ConnectionError):
            return


class SkerryVectorEnv(VectorEnv[dict[str, _Array], _Array, _Array]):
    """Many games, each as a ``SkerryEnv``.

    A game that is over starts again in the next step, which ignores its action (AutoresetMode.NEXT_STEP). The infos
    have ``returns`` (a row for each game, a column for each seat) if any game ended, and ``illegal_action`` if one
    ended by it. ``_returns`` and ``_illegal_action`` say which games have such an info, as everywhere in Gymnasium.
    Equal seeds and equal actions give equal games, whatever the number of processes.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # type: ignore[misc]

    def __init__(self, num_envs: int = 1, *, processes: int | None = None, copy: bool = True, **arguments: Any) -> None:
        """``processes``: 0 plays in this process. Default: the number of processors, at most ``num_envs``.

        ``copy``: whether to return copies. Otherwise, the next step changes what the last one has returned.
        ``arguments``: those of ``SkerryEnv``. Raises its errors, and ValueError for a number below its minimum.
        """
        processes = min(num_envs, os.cpu_count() or 1) if processes is None else min(num_envs, processes)
        if num_envs < 1 or processes < 0:
            raise ValueError(f"num_envs must be at least 1, and processes at least 0, not {num_envs} and {processes}.")
        one = SkerryEnv(**arguments)
        self.encoding = one.encoding
        """The encodings of moves (``actions``) and of observations (``observations``)."""
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = one.observation_space, one.action_space
        self.observation_space = batch_space(one.observation_space, num_envs)
        self.action_space = batch_space(one.action_space, num_envs)
        self._copy = copy
        self._started = False
        arrays = _SharedArrays(num_envs, self.encoding)
        self._rows = arrays.rows(slice(num_envs))
        self._connections: list[Connection] = []
        self._processes: list[Any] = []
        self._slices = [slice(num_envs)]
        self._here = _Part(arrays, slice(num_envs), arguments) if processes == 0 else None
        if processes:
            bounds = [num_envs * number // processes for number in range(processes + 1)]
            self._slices = [slice(*pair) for pair in pairwise(bounds)]
            self._begin(arrays, arguments)

    def _begin(self, arrays: _SharedArrays, arguments: dict[str, Any]) -> None:
        """Start the processes, and wait until they are ready."""
        context = get_context("spawn")
        with self._closed_by_errors():
            for games in self._slices:
                own, other = context.Pipe()
                process = context.Process(target=_serve, args=(other, arrays, games, arguments), daemon=True)
                process.start()
                other.close()
                self._connections.append(own)
                self._processes.append(process)
            self._wait()

    def _call(self, seeds: Sequence[int | None] | None) -> None:
        """Start all games, or take a step in all."""
        if self.closed:
            raise ClosedEnvironmentError("The environment is closed.")
        with self._closed_by_errors():
            if self._here is not None:
                self._here.step() if seeds is None else self._here.reset(seeds)
            for connection, games in zip(self._connections, self._slices, strict=False):
                connection.send(None if seeds is None else seeds[games])
            self._wait()

    def _wait(self) -> None:
        """Wait until all processes have responded. Raises RuntimeError if one has failed."""
        for connection in self._connections:
            if (error := connection.recv()) is not None:
                raise RuntimeError(error)

    @contextmanager
    def _closed_by_errors(self) -> Iterator[None]:
        """Close the environment after an error or an interrupt, because only some games have taken the step."""
        try:
            yield
        except BaseException as error:
            self.close()
            if isinstance(error, EOFError | ConnectionError):
                raise RuntimeError("A process of the environment has ended.") from error
            raise

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, _Array], dict[str, Any]]:
        """Start all games. ``seed``: that of the first game, one more for each next one; or a list of all seeds.

        Raises ValueError for another number of seeds, and for the option ``reset_mask``.
        """
        if options and "reset_mask" in options:
            raise ValueError("A reset starts all games, so it takes no reset_mask.")
        if seed is None or isinstance(seed, int):
            seeds = [None if seed is None else seed + number for number in range(self.num_envs)]
        else:
            seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"{self.num_envs} games need {self.num_envs} seeds, not {len(seeds)}.")
        self._call(seeds)
        self._started = True
        return self._observations(), {}

    def step(self, actions: _Array) -> tuple[dict[str, _Array], _Array, _Array, _Array, dict[str, Any]]:
        """Take an action in each game. Return observations, rewards, terminations, truncations and infos."""
        if not self._started:
            raise ResetNeeded("Call reset before the first step.")
        self._rows["action"][:] = np.reshape(actions, self.num_envs)
        self._call(None)
        rewards, over, illegal = (self._rows[name].copy() for name in ("reward", "over", "illegal"))
        infos = {}
        if illegal.any():
            infos = {"illegal_action": np.where(illegal, self._rows["action"], 0), "_illegal_action": illegal}
        if (ended := over & ~illegal).any():
            infos |= {"returns": self._rows["returns"].copy(), "_returns": ended}
        return self._observations(), rewards, over, np.zeros(self.num_envs, np.bool_), infos

    def _observations(self) -> dict[str, _Array]:
        seen = {name: self._rows[name] for name in ("observation", "action_mask")}
        return {name: rows.copy() for name, rows in seen.items()} if self._copy else seen

    def close_extras(self, **kwargs: Any) -> None:
        """End the processes."""
        for connection in self._connections:
            connection.close()
        for process in self._processes:
            process.join(_SECONDS_TO_END)
            process.kill()
            process.join()
        self._connections, self._processes = [], []
