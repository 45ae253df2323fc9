"""One game: clocks, failures and replays."""

from __future__ import annotations

import time
from itertools import count
from random import Random

import pytest
from msgspec.structs import replace

from skerry_arena.play.contestant import Contestant, FailureKind, GameStart, InProcessPlayer, PlayerFailed
from skerry_arena.play.game_score import score_game
from skerry_arena.play.record import Failure, Record
from skerry_arena.play.referee import play
from skerry_arena.reports.verification import difference
from skerry_arena.running.worker import Worker
from skerry_arena.settings import Limits, OnFailure, Settings
from skerry_games import Dice, InformationState, Outcome, all_games, seen_from, start
from skerry_games.pairing.plan import games
from skerry_games.players import player
from tests.arena.samples import PATIENT, settings


class Watch:
    """A clock that moves only while a player thinks."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Slow(InProcessPlayer):
    """A player that takes the given seconds for its first decisions, and fails if its limit is lower."""

    def __init__(self, watch: Watch, *seconds: float) -> None:
        super().__init__(player("random"))
        self._watch = watch
        self._left = list(seconds)
        self.given: list[float] = []

    def choose(self, position: InformationState, seconds: float) -> int:
        self.given.append(seconds)
        takes = self._left.pop(0) if self._left else 0.0
        self._watch.now += min(takes, seconds)
        if takes > seconds:
            raise PlayerFailed(FailureKind.TIMEOUT, "It did not answer in time.")
        return super().choose(position, 1000.0)


def played(tournament: Settings, *contestants: Contestant, watch: Watch | None = None) -> Record:
    return play(tournament, next(games(tournament)), contestants, watch or Watch())


@pytest.mark.parametrize("game", list(all_games()))
def test_a_game_follows_from_the_plan_and_can_be_replayed(game: str) -> None:
    tournament = settings("random", "other=random", game=game, games=2)
    one, again = (Worker(tournament).play(next(games(tournament))) for _ in range(2))
    assert replace(one, seconds=()) == replace(again, seconds=())
    assert difference(tournament, one) is None
    assert "ends with" in (difference(tournament, replace(one, scores=(99, 0))) or "")
    assert "stops before" in (difference(tournament, replace(one, choices=one.choices[:-1])) or "")
    assert "is over before" in (difference(tournament, replace(one, choices=(*one.choices, 0))) or "")
    assert "has no move 999" in (difference(tournament, replace(one, choices=(999,))) or "")


def test_time_beyond_that_of_a_decision_comes_out_of_the_bank() -> None:
    watch = Watch()
    limits = Limits(move_seconds=2, bank_seconds=5)
    slow = Slow(watch, 1.0, 4.0, 3.0)
    record = played(settings("random", "b=random", limits=limits), slow, Slow(watch), watch=watch)
    assert slow.given[:4] == [7.0, 7.0, 5.0, 4.0]
    assert record.seconds[0] == 8.0
    assert record.failures == ()


def test_a_player_out_of_time_fails_at_once() -> None:
    watch = Watch()
    slow = Slow(watch, 1.0, 1000.0)
    record = played(settings("random", "b=random", limits=Limits(move_seconds=2)), slow, Slow(watch), watch=watch)
    assert watch.now == 3.0
    assert [failure.kind for failure in record.failures] == [FailureKind.TIMEOUT]
    assert record.ranks == (2, 1)


@pytest.mark.parametrize(
    ("policy", "counts"), [(OnFailure.FORFEIT, True), (OnFailure.SUBSTITUTE, True), (OnFailure.VOID, False)]
)
def test_every_policy_records_failures(policy: OnFailure, counts: bool) -> None:
    watch = Watch()
    tournament = settings("random", "b=random", "c=random", seats=3, on_failure=policy, limits=Limits(move_seconds=2))
    record = played(tournament, Slow(watch), Slow(watch, 0.0, 9.0), Slow(watch), watch=watch)
    assert [(failure.seat, failure.kind) for failure in record.failures] == [(1, FailureKind.TIMEOUT)]
    assert record.counts is counts
    assert difference(tournament, record) is None
    if policy is OnFailure.FORFEIT:
        assert record.ranks[1] == max(record.ranks) and record.ranks.count(record.ranks[1]) == 1
    if policy is OnFailure.VOID:
        assert len(record.choices) == record.failures[0].decision


@pytest.mark.parametrize("level", ["mcts:1000000", "mcts:1000ms"])
def test_a_search_moves_before_its_time_runs_out(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count()
    monkeypatch.setattr(time, "monotonic", lambda: next(ticks) / 100)
    one = InProcessPlayer(player(level))
    one.begin(GameStart(all_games()["kreta"], None, 2, 0, b"s" * 32))
    position = seen_from(start("kreta", 2, rng=Dice(Random(1))), 0, Dice(Random(2)))
    assert 0 <= one.choose(position, 1.0) < len(position.legal_moves)
    assert next(ticks) > 50


def test_a_substitute_has_no_time_limit() -> None:
    """Otherwise its seat would fail again: a second forfeit, or an endless series of substitutes."""
    limits = Limits(move_seconds=1e-9)
    for policy in (OnFailure.FORFEIT, OnFailure.SUBSTITUTE):
        tournament = settings("random", "b=random", "c=random", seats=3, on_failure=policy, limits=limits)
        record = played(tournament, *[InProcessPlayer(player("random")) for _ in range(3)])
        seats = [failure.seat for failure in record.failures]
        assert len(seats) == len(set(seats)) == (2 if policy is OnFailure.FORFEIT else 3)
        assert difference(tournament, record) is None


def test_seats_that_forfeit_come_last_the_first_of_them_at_the_end() -> None:
    position = start("canarias", 4, rng=Dice(Random(1)))
    failures = [Failure(2, 5, FailureKind.CRASH), Failure(0, 9, FailureKind.TIMEOUT)]
    assert score_game(position, failures, OnFailure.FORFEIT).ranks == (2, 1, 3, 1)
    assert score_game(position, failures, OnFailure.SUBSTITUTE).ranks == (1, 1, 1, 1)


def test_the_others_rank_by_score_in_a_game_that_a_failure_ends_early() -> None:
    position, dice = start("tenerife", 3, rng=Dice(Random(1))), Random(2)
    while len(set(position.scores)) < 3:
        seat = position.to_act[0]
        position = position.play(dice.choice(position.legal_moves(seat)), seat, Dice(dice))
    first, second, third = sorted(range(3), key=position.scores.__getitem__, reverse=True)
    failures = [Failure(first, 5, FailureKind.TIMEOUT)]
    ranks = score_game(position, failures, OnFailure.FORFEIT).ranks
    assert (ranks[second], ranks[third], ranks[first]) == (1, 2, 3)
    assert score_game(position, failures, OnFailure.VOID).ranks == (1, 1, 1)


class Prying(InProcessPlayer):
    """A player that records everything it receives."""

    def __init__(self) -> None:
        super().__init__(player("random"))
        self.seen: list[object] = []

    def begin(self, beginning: GameStart) -> None:
        super().begin(beginning)
        self.seen.append((beginning.options, beginning.seat, beginning.seed))

    def choose(self, position: InformationState, seconds: float) -> int:
        self.seen.append((position.view, tuple(position.legal_moves)))
        return super().choose(position, seconds)

    def end(self, outcome: Outcome) -> None:
        self.seen.append(outcome)


def test_a_player_sees_only_what_its_seat_may_know() -> None:
    tournament = settings("random", "b=random", game="tenerife", limits=PATIENT)
    one, other = Prying(), Prying()
    played(tournament, one, other)
    assert len(one.seen) > 10
    assert isinstance(one.seen[-1], Outcome)
    assert next(games(tournament)).seed not in [seen[2] for seen in (one.seen[0], other.seen[0])]  # type: ignore[index]
