"""The runner of a tournament: it plays the games that the log lacks."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Protocol

from skerry_arena.play.record import Record, Result
from skerry_arena.programs.sandbox import require_sandbox
from skerry_arena.running import tournament_folder as folders
from skerry_arena.running.log import DamagedLog, Line, Log, read
from skerry_arena.settings import SEED, Settings, require_playable
from skerry_arena.statistics.cup import planned
from skerry_arena.statistics.stopping import SequentialTest, Stopped
from skerry_games.pairing import rounds
from skerry_games.pairing.plan import PlannedGame

Engine = Callable[[Settings, Iterable[PlannedGame]], Generator[list[Record]]]
"""Plays games in any order and yields them as they finish. Closing it ends unfinished games."""


class Watcher(Protocol):
    """Follows a tournament as it is played."""

    def begin(self, results: Sequence[Result], test: SequentialTest) -> None:
        """Take the results of earlier runs, which the test has evaluated."""

    def plan(self, planned: int) -> None:
        """Take the number of planned games, which grows with play-offs."""

    def handed_over(self, game: PlannedGame) -> None:
        """The engine has got a game."""

    def finish(self, results: Iterable[Result], test: SequentialTest) -> None:
        """Games are in the log, and the test has evaluated them."""

    def end(self) -> None:
        """No game is missing."""


def play_missing(folder: Path, engine: Engine, watcher: Watcher, *, accept_changed: bool = False) -> None:
    """Play the missing games of a tournament. Finished games stay in the log, also after an error.

    ``accept_changed``: whether players may have other code than in the games so far.

    Raises BadSettings, TournamentInUse, DamagedLog, Halted, OSError.
    """
    begun = folders.read_tournament(folder)
    settings = begun.settings
    folders.require_same_rules(begun)
    require_playable(settings)
    with Log(folder / folders.LOG) as log:
        results = results_of(settings, folder / folders.LOG, Result)
        _, stopped = counted_results(settings, results)
        if stopped is None and len(results) < planned(settings, results):
            require_sandbox(settings.limits)
            folders.accept_code(folder, len(results), accept_changed=accept_changed)
            folders.note_containment(folder, len(results))
        _TournamentRun(settings, log, results, watcher).play(engine)
        watcher.end()


class _TournamentRun:
    """The play of a tournament's missing games."""

    def __init__(self, settings: Settings, log: Log, results: Sequence[Result], watcher: Watcher) -> None:
        self._settings = settings
        self._log = log
        self._watcher = watcher
        self._test = SequentialTest(settings)
        self._finished = {result.game: result for result in results}
        for result in results:
            self._test.add(result)
        watcher.begin(results, self._test)

    def play(self, engine: Engine) -> None:
        """Play the missing games, round by round."""
        for games in rounds.games(self._settings, self._finished):
            # A round of play-offs adds games.
            self._watcher.plan(rounds.total(self._settings, rounds.begun(self._settings, self._finished)))
            missing = (game for game in games if game.number not in self._finished)
            first = next(missing, None)
            if first is None or self._is_decided():
                continue
            with closing(engine(self._settings, self._handed_over(chain([first], missing)))) as finished:
                for records in finished:
                    self._keep(records)
                    if self._is_decided():
                        return

    def _handed_over(self, games: Iterable[PlannedGame]) -> Iterator[PlannedGame]:
        for game in games:
            self._watcher.handed_over(game)
            yield game

    def _is_decided(self) -> bool:
        return self._test.stopped is not None

    def _keep(self, records: Sequence[Record]) -> None:
        self._log.write(records)
        for record in records:
            self._test.add(record)
            if self._settings.format in rounds.IN_ROUNDS:  # the next round depends on it
                self._finished[record.game] = record
        self._watcher.finish(records, self._test)


def results_of(settings: Settings, log: Path, kind: type[Line]) -> list[Line]:
    """Return the games of a log in the order of the plan. Raises DamagedLog if a game is not in the plan."""
    finished = {result.game: result for result in read(log, kind)}
    ordered: list[Line] = []
    for games in rounds.games(settings, finished) if finished else ():
        missing = False
        for game in games:
            if (result := finished.get(game.number)) is not None:
                _require_planned(result, game, settings, log)
                ordered.append(result)
            else:
                missing = True
        if missing:
            break
    if stray := finished.keys() - {result.game for result in ordered}:
        raise DamagedLog(f"{log}: Game {min(stray)} is not in the plan.")
    return ordered


def counted_results(settings: Settings, results: Sequence[Line]) -> tuple[list[Line], Stopped | None]:
    """Return the games that count, and the early stop, if there was one.

    After an early stop only the games up to its block count. The log can have later games, which other workers finished
    meanwhile. No report depends on them.
    """
    watch = SequentialTest(settings)
    for result in results:
        watch.add(result)
    if (stopped := watch.stopped) is None:
        return list(results), None
    return [result for result in results if result.block <= stopped.block], stopped


def _require_planned(result: Result, game: PlannedGame, settings: Settings, log: Path) -> None:
    names = tuple([settings.players[one].name for one in game.lineup])
    drawn = settings.deals_anew and SEED.fullmatch(result.seed)
    seed = result.seed if drawn else game.seed.hex()
    if (result.block, result.lineup, result.seed) != (game.block, names, seed):
        raise DamagedLog(f"{log}: Game {game.number} has other players or another seed than the plan.")
    many = {len(one) for one in (result.ranks, result.scores, result.seconds, result.answers or names)}
    if many != {len(names)}:
        raise DamagedLog(f"{log}: Game {game.number} does not have a rank, a score and a time for each seat.")
    seats = range(len(names))
    if any(rank - 1 not in seats for rank in result.ranks) or any(one.seat not in seats for one in result.failures):
        raise DamagedLog(f"{log}: Game {game.number} has a rank or a seat outside of its table.")
