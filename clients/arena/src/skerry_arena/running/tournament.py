"""Plays a tournament: what the plan has and the log lacks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from skerry_arena.plan import Game, games, total
from skerry_arena.play.record import Result
from skerry_arena.running import folder as folders
from skerry_arena.running.log import DamagedLog, Line, Log, read
from skerry_arena.running.pool import play_all
from skerry_arena.settings import Settings, require_playable
from skerry_arena.statistics.stopping import Stopped, Watch

Progress = Callable[[int, int], None]
"""Is told how many games are finished, and of how many."""


def go_on(folder: Path, workers: int, progress: Progress) -> None:
    """Play what is missing. Raises BadSettings, Busy, DamagedLog, PoolDied, OSError: what was finished stays."""
    begun = folders.begun_in(folder)
    settings = begun.settings
    folders.require_same_rules(begun)
    require_playable(settings)
    with Log(folder / folders.LOG) as log:
        watch, finished = Watch(settings), set[int]()
        for result in results_of(settings, folder / folders.LOG, Result):
            watch.add(result)
            finished.add(result.game)
        done = len(finished)
        progress(done, total(settings))
        missing = (game for game in games(settings) if game.number not in finished)
        for records in play_all(settings, missing, workers) if watch.stopped is None else ():
            log.write(records)
            done += len(records)
            progress(done, total(settings))
            for record in records:
                watch.add(record)
            if watch.stopped is not None:
                return


def results_of(settings: Settings, log: Path, kind: type[Line]) -> list[Line]:
    """Return the games of a log in the order of the plan. Raises DamagedLog if one of them is not in the plan."""
    finished = {result.game: result for result in read(log, kind)}
    ordered = []
    for game in games(settings) if finished else ():
        if (result := finished.pop(game.number, None)) is not None:
            _require_planned(result, game, settings, log)
            ordered.append(result)
    if finished:
        raise DamagedLog(f"{log}: Game {min(finished)} is not in the plan.")
    return ordered


def until_stop(settings: Settings, results: Sequence[Line]) -> tuple[list[Line], Stopped | None]:
    """Return the games up to the block with which the tournament stopped early, and why it did.

    Others were finished by chance while that was noticed: they do not count, so that no report depends on it.
    """
    watch = Watch(settings)
    for result in results:
        watch.add(result)
    if (stopped := watch.stopped) is None:
        return list(results), None
    return [result for result in results if result.block <= stopped.block], stopped


def _require_planned(result: Result, game: Game, settings: Settings, log: Path) -> None:
    names = tuple([settings.players[one].name for one in game.lineup])
    if (result.block, result.lineup, result.seed) != (game.block, names, game.seed.hex()):
        raise DamagedLog(f"{log}: Game {game.number} is not the one that the plan has: players or seed differ.")
    if not len(result.ranks) == len(result.scores) == len(result.seconds) == len(names):
        raise DamagedLog(f"{log}: Game {game.number} does not have a rank, a score and a time for each seat.")
