"""The state of a running tournament, which the runner feeds and the live page reads from other threads."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from math import isfinite
from threading import Lock
from typing import Final

import numpy as np
from msgspec import Struct

from skerry_arena.play.record import Result
from skerry_arena.reports.page import ranked
from skerry_arena.settings import Settings
from skerry_arena.statistics.cup import Cup, cup
from skerry_arena.statistics.fit import differences, groups
from skerry_arena.statistics.stopping import SequentialTest
from skerry_arena.statistics.tally import Floats
from skerry_games.pairing import rounds
from skerry_games.pairing.match import beaten
from skerry_games.pairing.plan import PlannedGame

_LATEST: Final = 10
_MOST_TABLES: Final = 64
"""The most games in play that a snapshot lists."""
TimeSource = Callable[[], float]


class LiveStanding(Struct, frozen=True):
    """The results of a player so far, over all finished games that count."""

    name: str
    group: int
    """The number of its group, from 0. Ratings of different groups do not compare."""
    rating: float | None
    """Points above the mean of its group; ``None`` if it is alone there."""
    beats: float | None
    """The share of opponents beaten."""
    wins: float | None
    """The share of games won."""
    games: int
    failures: int


class LiveTable(Struct, frozen=True):
    """A game in play."""

    game: int
    players: tuple[str, ...]
    """By seat."""
    seconds: float
    """The time since the engine began it."""


class LiveGame(Struct, frozen=True):
    """A finished game."""

    game: int
    players: tuple[tuple[int, str, int], ...]
    """The rank, the name and the score of each seat, the best first."""
    counts: bool


class LiveRatio(Struct, frozen=True):
    """The sequential test of the first player."""

    player: str
    value: float
    """The logarithm of the likelihood ratio of the two shares."""
    bound: float
    """The test stops at this value, or at minus this value."""
    low: float
    high: float


class Snapshot(Struct, frozen=True, kw_only=True):
    """A tournament at one moment."""

    game: str
    format: str
    seats: int
    finished: int
    planned: int
    over: bool
    seconds: float
    """The time since this run began."""
    seconds_left: float | None
    """At the pace of this run; ``None`` before its first game ends. An early stop or play-offs change it."""
    standings: tuple[LiveStanding, ...]
    ratio: LiveRatio | None
    """``None`` without a sequential test."""
    tables: tuple[LiveTable, ...]
    """The games in play, the oldest first."""
    waiting: int
    """The number of games that the engine has and does not play yet."""
    latest: tuple[LiveGame, ...]
    cup: Cup


class TournamentWatch:
    """Counts the results of a tournament as they arrive. All methods can be called from any thread."""

    def __init__(self, settings: Settings, at_once: int, clock: TimeSource = time.monotonic) -> None:
        """``at_once``: the number of games that the engine plays at a time."""
        self._settings = settings
        self._at_once = at_once
        self._clock = clock
        self._lock = Lock()
        self._places = {one.name: place for place, one in enumerate(settings.players)}
        many = len(settings.players)
        self._beaten: Floats = np.zeros((many, many))
        self._wins: Floats = np.zeros(many)
        self._games = np.zeros(many, dtype=np.int64)
        self._failures: Counter[str] = Counter()
        self._handed_over: dict[int, PlannedGame] = {}
        """The games that the engine has, the oldest first. It plays the first ones."""
        self._started: dict[int, float] = {}
        self._latest: deque[Result] = deque(maxlen=_LATEST)
        self._results: list[Result] = []
        """All results of a tournament in rounds, which is small. Others keep none."""
        self._cup: Cup | None = None
        """Computed anew for each round, because that takes longer than all else."""
        self._ratio: LiveRatio | None = None
        self.changed: Callable[[TournamentWatch], None] = lambda watch: None
        """Called after each change of ``finished`` or ``planned``, in the thread of the runner."""
        self.finished = 0
        """The number of finished games."""
        self.planned = 0
        """The number of planned games, which grows with play-offs."""
        self._at_start = 0
        self.over = False
        """Whether no game is missing."""
        self._began = clock()

    def begin(self, results: Sequence[Result], test: SequentialTest) -> None:
        """Take the results of earlier runs, which the test has evaluated."""
        with self._lock:
            for result in results:
                self._count(result)
            self._evaluate(test)
            self._at_start = self.finished
            self._began = self._clock()

    def handed_over(self, game: PlannedGame) -> None:
        """The engine has got a game."""
        with self._lock:
            self._handed_over[game.number] = game
            self._start()

    def finish(self, results: Iterable[Result], test: SequentialTest) -> None:
        """Games have finished, and the test has evaluated them."""
        with self._lock:
            for result in results:
                self._handed_over.pop(result.game, None)
                self._started.pop(result.game, None)
                self._count(result)
                self._latest.appendleft(result)
            self._start()
            self._evaluate(test)
        self.changed(self)

    def plan(self, planned: int) -> None:
        """The number of planned games has changed."""
        with self._lock:
            self.planned = planned
            self._cup = None
        self.changed(self)

    def end(self) -> None:
        """All games are played, or the test has decided."""
        with self._lock:
            self.over = True
            self._cup = None
            self._handed_over.clear()

    def _start(self) -> None:
        for number in islice(self._handed_over, self._at_once):
            self._started.setdefault(number, self._clock())

    def _evaluate(self, test: SequentialTest) -> None:
        if (stop := self._settings.stop) is not None:
            self._ratio = LiveRatio(self._settings.players[0].name, test.ratio, test.bound, stop.low, stop.high)

    def _count(self, result: Result) -> None:
        self.finished += 1
        if self._settings.format in rounds.IN_ROUNDS:
            self._results.append(result)
        self._failures.update(result.lineup[failure.seat] for failure in result.failures)
        if not result.counts:
            return
        seated = [self._places[name] for name in result.lineup]
        first = result.ranks.count(1)
        for player, rank in zip(seated, result.ranks, strict=True):
            self._games[player] += 1
            self._wins[player] += (rank == 1) / first
            for other, rank_of_other in zip(seated, result.ranks, strict=True):
                if other != player:
                    self._beaten[player, other] += beaten(rank, rank_of_other)

    def snapshot(self) -> Snapshot:
        """Return the state at this moment."""
        with self._lock:
            now = self._clock()
            done, left = self.finished - self._at_start, self.planned - self.finished
            in_play = list(islice(self._handed_over.values(), self._at_once))
            settings = self._settings
            if self._cup is None:
                self._cup = cup(settings, sorted(self._results, key=lambda result: result.game))
            return Snapshot(
                game=settings.rules.title,
                format=settings.format,
                seats=settings.table,
                finished=self.finished,
                planned=self.planned,
                over=self.over,
                seconds=now - self._began,
                seconds_left=None if not done or self.over else (now - self._began) * max(0, left) / done,
                standings=self._standings(),
                ratio=self._ratio,
                tables=tuple([self._table(game, now - self._started[game.number]) for game in in_play[:_MOST_TABLES]]),
                waiting=len(self._handed_over) - len(in_play),
                latest=tuple([_live_game(result) for result in self._latest]),
                cup=self._cup,
            )

    def _table(self, game: PlannedGame, seconds: float) -> LiveTable:
        return LiveTable(game.number, tuple([self._settings.players[one].name for one in game.lineup]), seconds)

    def _standings(self) -> tuple[LiveStanding, ...]:
        found, apart = groups(self._beaten), differences(self._beaten)
        met = (self._beaten + self._beaten.T).sum(axis=1)
        standings = []
        for number, group in enumerate(found):
            for one in group:
                rating = float(apart[one, group].mean()) if len(group) > 1 else None
                games, name = int(self._games[one]), self._settings.players[one].name
                standings.append(
                    LiveStanding(
                        name,
                        number,
                        rating if rating is not None and isfinite(rating) else None,
                        float(self._beaten[one].sum() / met[one]) if met[one] else None,
                        float(self._wins[one]) / games if games else None,
                        games,
                        self._failures[name],
                    )
                )
        return tuple(
            sorted(standings, key=lambda one: (one.group, -(one.rating or 0.0), -(one.beats or 0.0), one.name))
        )


def _live_game(result: Result) -> LiveGame:
    return LiveGame(result.game, tuple(ranked(result)), result.counts)
