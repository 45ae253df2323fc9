"""Ranks, failures and rests."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from skerry_service.ladders.game_results import FAILURES_TO_REST, counted, pair_results, points_of
from skerry_service.ladders.ladder_records import EntrantRecord, GameRow, LadderSeatRecord, PairRecord


def row(ranks: Sequence[int], failures: Sequence[str] = (), session: str = "s") -> GameRow:
    seats = tuple([LadderSeatRecord(f"{name}/1", name) for name, _ in zip("dcba", ranks, strict=False)])
    failed = tuple(failures) or ("",) * len(ranks)
    return GameRow(session, seats, tuple(ranks), (0,) * len(ranks), failed, "It is over.", 1, 2, "block")


def test_each_pair_of_a_game_has_a_result_and_the_smaller_name_comes_first() -> None:
    assert dict(pair_results(row([1, 2, 2]), ())) == {
        ("c/1", "d/1"): PairRecord(losses=1),
        ("b/1", "d/1"): PairRecord(losses=1),
        ("b/1", "c/1"): PairRecord(ties=1),
    }


def test_a_game_that_ended_early_counts_only_against_the_seat_that_failed() -> None:
    assert dict(pair_results(row([1, 3, 2]), (1,))) == {
        ("c/1", "d/1"): PairRecord(losses=1),
        ("b/1", "c/1"): PairRecord(wins=1),
    }


@pytest.mark.parametrize(("ranks", "seat", "points"), [((1, 2), 0, 1), ((1, 1), 1, 0.5), ((2, 1, 2), 0, 0.25)])
def test_points_are_the_share_of_opponents_beaten(ranks: tuple[int, ...], seat: int, points: float) -> None:
    assert points_of(ranks, seat) == points


def after(results: Sequence[str], woken: Sequence[int] | None = None) -> EntrantRecord:
    entrant = EntrantRecord("d")
    for at, failure in enumerate(results):
        played = row([2, 1], [failure, ""], f"s{at}")
        entrant = counted(entrant, played, 0, completes_block=False, woken=woken[at] if woken else 0)
    return entrant


def test_three_failures_in_succession_rest_a_version_and_name_the_last() -> None:
    late = "ran out of time"
    assert after([late, late]).rest is None
    assert after([late, late, "", late, late]).rest is None
    rested = after([late] * FAILURES_TO_REST)
    assert rested.rest is not None
    assert (rested.rest.session, rested.rest.reason) == ("s2", "d ran out of time.")
    assert (rested.failures, rested.failing) == (3, 3)


def test_a_woken_bot_may_fail_twice_more() -> None:
    late = "ran out of time"
    woken = after([late] * 5, [0, 0, 0, 1, 1])
    assert woken.rest is None
    assert after([late] * 6, [0, 0, 0, 1, 1, 1]).rest is not None
