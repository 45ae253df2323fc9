"""The suite would see what it looks for: with a mistake planted in the service it finds moves that are lost."""

from __future__ import annotations

from itertools import islice

import pytest

from tests.faults.__main__ import KINDS, main
from tests.faults.suite import kills, retries
from tests.faults.suite.kinds import Asked, Outcome, Row, Struck
from tests.faults.suite.soak import MOST_GROWTH, MOST_RISE, growth, rise
from tests.faults.suite.steps import EARLY, FORGETFUL, STEPS, VICTIMS, plan_of


@pytest.mark.deep
async def test_kills_find_a_service_that_acknowledges_before_it_stores() -> None:
    outcome = await kills.run(Asked(seconds=2, planted=EARLY))
    assert outcome.lost > 0
    assert not outcome.good


@pytest.mark.deep
async def test_retries_find_a_service_that_remembers_no_request() -> None:
    outcome = await retries.of_calls(Asked(seconds=1, planted=FORGETFUL))
    assert outcome.lost > 0
    assert any("stale" in finding for finding in outcome.findings), outcome.findings


def test_every_victim_is_killed_at_every_step() -> None:
    plans = [plan_of(0, number) for number in range(len(STEPS) * len(VICTIMS))]
    assert {(plan.step, plan.victim) for plan in plans} == {(step, victim) for step in STEPS for victim in VICTIMS}
    assert plans == [plan_of(0, number) for number in range(len(plans))]
    assert plans != [plan_of(1, number) for number in range(len(plans))]


def test_a_fault_is_survived_when_play_went_on_after_it() -> None:
    struck = Struck(["a", "b", "never"])
    struck.note("a", 3)
    struck.note("b", 7)
    struck.note("a", 8)
    assert struck.rows(8) == [Row("a", 2, 1), Row("b", 1, 1)]


@pytest.mark.parametrize(
    ("outcome", "good"),
    [
        (Outcome([Row("a", 3, 3)]), True),
        (Outcome([Row("a", 3, 3)], lost=1), False),
        (Outcome([Row("a", 3, 2)]), False),
        (Outcome([Row("a", 3, 3)], findings=["the store grew by 9.0 MiB"]), False),
        (Outcome([]), False),
    ],
)
def test_what_was_not_tried_or_ended_something_is_not_good(outcome: Outcome, good: bool) -> None:
    assert outcome.good is good


def test_memory_that_fills_up_once_is_flat_and_memory_that_leaks_is_not() -> None:
    mib, games = 2**20, 1200
    fills = [(game, 80 * mib + min(game, 300) * mib / 10) for game in range(0, games, 10)]
    leaks = [(game, 80 * mib + game * 12 * 1024) for game in range(0, games, 10)]
    assert abs(growth(fills)) < 1
    assert growth(leaks) > MOST_GROWTH["service"]
    assert growth(list(islice(leaks, 1))) == 0


def test_memory_of_the_last_third_of_the_moves_is_compared_with_that_of_the_second() -> None:
    moves = range(0, 210_000, 1_000)
    assert rise([(done, 100 + 50 * min(done, 70_000) / 70_000) for done in moves]) == 0
    assert rise([(done, 100 * (1 + done / 2_100_000)) for done in moves]) > MOST_RISE
    assert rise([(0, 100)]) == 0


def test_a_kind_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["kils"])
    assert "no such kind: kils" in capsys.readouterr().err
    assert len({kind.name for kind in KINDS}) == len(KINDS)
