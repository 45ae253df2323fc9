"""The referee of a game: it asks the contestants, keeps the time and replaces players that fail."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

from skerry_arena.play.clock import SeatClock, TimeSource
from skerry_arena.play.contestant import Contestant, GameStart, InProcessPlayer, PlayerFailed
from skerry_arena.play.game_run import GameRun
from skerry_arena.play.game_score import is_decided, score_game
from skerry_arena.play.record import Failure, Record, answers_of
from skerry_arena.settings import Settings
from skerry_games.information_state import InformationState, seen_from
from skerry_games.pairing.plan import PlannedGame, seat_seed
from skerry_games.players import player
from skerry_games.rng import SeededRng

_SUBSTITUTE = "random"


def play(
    settings: Settings, game: PlannedGame, contestants: Sequence[Contestant], watch: TimeSource = time.monotonic
) -> Record:
    """Play a game of the plan, with a contestant for each seat."""
    refereed = _RefereedGame(settings, game, contestants, watch)
    refereed.begin()
    while not refereed.done:
        refereed.decide()
    return refereed.end()


class _RefereedGame:
    def __init__(
        self, settings: Settings, game: PlannedGame, contestants: Sequence[Contestant], watch: TimeSource
    ) -> None:
        self._settings = settings
        self._game = game
        self._players = tuple(contestants)
        self._seated = list(contestants)
        self._course = GameRun(settings.rules, settings.game_options, settings.table, game.seed)
        # The hidden part of each seat's information state is resampled with random numbers of its own.
        self._dice = [SeededRng(seat_seed(settings, game.number, seat, "view"), 0) for seat in range(settings.table)]
        self._clocks = [SeatClock(settings.limits, watch) for _ in range(settings.table)]
        self._failures: list[Failure] = []
        self._choices: list[int] = []
        self._observed = [0] * settings.table
        """For each seat, the number of steps before its last decision."""

    @property
    def done(self) -> bool:
        return self._course.over or is_decided(self._failures, len(self._seated), self._settings.on_failure)

    def begin(self) -> None:
        for seat, one in enumerate(self._seated):
            try:
                one.begin(self._start_of(seat, "player"))
            except PlayerFailed as failed:
                self._substitute(seat, failed)

    def _start_of(self, seat: int, purpose: str) -> GameStart:
        settings = self._settings
        seed = seat_seed(settings, self._game.number, seat, purpose)
        return GameStart(settings.rules, settings.game_options, settings.table, seat, seed)

    def decide(self) -> None:
        """Ask for one choice. A player that fails makes no choice and is replaced."""
        seat = self._course.seat
        position = seen_from(self._course.position, seat, self._dice[seat])
        self._seated[seat].observe(self._events_for(seat))
        try:
            choice = self._chosen(seat, position)
        except PlayerFailed as failed:
            self._substitute(seat, failed)
        else:
            self._course.choose(choice)
            self._choices.append(choice)

    def _events_for(self, seat: int) -> Iterator[Any]:
        """Yield the events since the seat's last decision, as it may see them."""
        steps, show = self._course.steps, self._settings.rules.show
        first, self._observed[seat] = self._observed[seat], len(steps)
        return (shown for step in steps[first:] for event in step.events if (shown := show(event, seat)) is not None)

    def _chosen(self, seat: int, position: InformationState) -> int:
        one = self._seated[seat]
        if any(failure.seat == seat for failure in self._failures):
            # The clock belongs to the failed player. A substitute without time would fail in its turn.
            return one.choose(position, inf)
        return self._clocks[seat].timed(lambda seconds: one.choose(position, seconds))

    def _substitute(self, seat: int, failed: PlayerFailed) -> None:
        self._failures.append(Failure(seat, len(self._choices), failed.kind, failed.detail))
        substitute = InProcessPlayer(player(_SUBSTITUTE))
        substitute.begin(self._start_of(seat, "substitute"))
        self._seated[seat] = substitute

    def end(self) -> Record:
        end = score_game(self._course.position, self._failures, self._settings.on_failure)
        if (outcome := self._course.position.outcome) is not None:
            for one in self._seated:
                one.end(outcome)
        return Record(
            game=self._game.number,
            block=self._game.block,
            lineup=tuple([self._settings.players[one].name for one in self._game.lineup]),
            ranks=end.ranks,
            scores=end.scores,
            reason=end.reason,
            counts=end.counts,
            failures=tuple(self._failures),
            choices=tuple(self._choices),
            seed=self._game.seed.hex(),
            seconds=tuple([round(one.seconds, 3) for one in self._clocks]),
            answers=answers_of([one.counts for one in self._players]),
        )
