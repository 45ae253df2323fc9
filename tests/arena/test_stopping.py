"""Early stops: the likelihood ratio, the error, and the order of the plan."""

from __future__ import annotations

from collections import Counter
from math import log
from pathlib import Path
from random import Random

import pytest

from skerry_arena.play.record import Record
from skerry_arena.reports.page import page
from skerry_arena.running.runner import counted_results
from skerry_arena.running.tournament_folder import LOG
from skerry_arena.settings import BadSettings, Settings, Stop
from skerry_arena.statistics.stopping import SequentialTest, StopDecision, log_likelihood_ratio
from skerry_arena.statistics.summary import summarize
from skerry_games.pairing.match import share_in
from skerry_games.pairing.plan import total
from tests.arena.conftest import Run
from tests.arena.samples import records, settings


def tournament(low: float = 0.5, high: float = 0.6, games: int = 1000) -> Settings:
    return settings("random", "b=random", games=games, stop=Stop(low, high))


def simulated(plan: Settings, share: float, dice: Random) -> list[Record]:
    """Return games of which the first player wins that share."""
    empty = records(plan, [(1, 2)] * total(plan))
    ranks = [(1, 2) if (dice.random() < share) == (one.lineup[0] == "random") else (2, 1) for one in empty]
    return records(plan, ranks)


def test_the_ratio_of_two_values_is_the_binomial_one() -> None:
    found = log_likelihood_ratio(Counter({0.0: 40, 1.0: 60}), 0.5, 0.6)
    assert found == pytest.approx(60 * log(0.6 / 0.5) + 40 * log(0.4 / 0.5), abs=0.01)


def test_blocks_halfway_between_favour_neither_share() -> None:
    assert log_likelihood_ratio(Counter({0.25: 10, 0.85: 10}), 0.5, 0.6) == pytest.approx(0.0, abs=0.01)


def test_blocks_with_less_variance_have_a_larger_ratio() -> None:
    wide, narrow = Counter({0.0: 4, 1.0: 6}), Counter({0.5: 6, 0.75: 4})
    assert log_likelihood_ratio(narrow, 0.5, 0.6) > 5 * log_likelihood_ratio(wide, 0.5, 0.6) > 0


def test_the_result_of_a_block_is_the_share_of_opponents_beaten() -> None:
    plan = settings("random", "b=random", "c=random", seats=3, games=3)
    block = records(plan, [(1, 2, 3), (1, 1, 1), (3, 2, 1)])
    found = [share_in(block, name) for name in ("random", "b", "c", "nobody")]
    assert sum(share for share in found if share is not None) == pytest.approx(1.5)
    assert found[3] is None


@pytest.mark.deep
@pytest.mark.parametrize(("share", "wrong"), [(0.5, StopDecision.HIGH), (0.6, StopDecision.LOW)])
def test_the_test_keeps_its_error(share: float, wrong: StopDecision) -> None:
    plan, dice, decided = tournament(), Random(7), Counter[StopDecision | None]()
    for _ in range(30):
        _, stopped = counted_results(plan, simulated(plan, share, dice))
        decided[stopped.decision if stopped else None] += 1
    assert decided[wrong] <= 4
    assert decided[None] <= 4


def test_games_are_evaluated_in_the_order_of_the_plan() -> None:
    plan, dice = tournament(), Random(3)
    games = simulated(plan, 0.7, dice)
    counted, stopped = counted_results(plan, games)
    assert stopped is not None and stopped.decision is StopDecision.HIGH
    assert len(counted) == 2 * (stopped.block + 1) < len(games)
    watch = SequentialTest(plan)
    for game in dice.sample(games, len(games)):
        watch.add(game)
    assert watch.stopped == stopped


def test_after_an_early_stop_there_are_no_intervals() -> None:
    plan = tournament()
    counted, stopped = counted_results(plan, simulated(plan, 0.7, Random(3)))
    summary = summarize(plan, counted, stopped)
    assert summary.stopped is StopDecision.HIGH
    assert all(one.beats.interval is None and one.rating.interval is None for one in summary.standings)
    text = page(plan, summary)
    assert "random beats\n0.6 of its opponents than if it beats 0.5 (error probability 0.05" in text
    assert "is not over" not in text


def test_equal_shares_are_rejected() -> None:
    with pytest.raises(BadSettings, match="The lower share must be less than"):
        tournament(low=0.5, high=0.5)


def test_a_stopped_tournament_stays_stopped(tmp_path: Path, arena: Run) -> None:
    flags = ("--game", "kreta", "--player", "a=random", "--player", "random", "--games", "400", "--stop", "0.1:0.5")
    ran = arena("tournament", "run", *flags, "--seed", "5a" * 32, "--workers", "0", "--out", "one")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "Stopped early." in ran.stdout
    before = (tmp_path / "one" / LOG).read_bytes()
    assert arena("tournament", "resume", "one", "--workers", "0").returncode == 0
    assert (tmp_path / "one" / LOG).read_bytes() == before
    assert len(before.splitlines()) < 40
    assert arena("tournament", "run", *flags, "--stop", "high", "--out", "two").returncode == 2
