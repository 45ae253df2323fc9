"""Who plays next, with seeded draws."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from skerry_service.ladders.pairing import REMATCH_MS, Candidate, next_game


def candidate(bot: str, **fields: object) -> Candidate:
    known = {"key": bot, "since": 0, "games": 40, "blocks": 20, "rating": 1500.0}
    return Candidate(bot, f"{bot}/1", **{**known, **fields})  # type: ignore[arg-type]


def names(members: list[Candidate] | None) -> set[str]:
    return {one.bot for one in members or ()}


@given(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=12), st.integers(2, 4), st.integers())
def test_bots_of_one_key_never_meet(keys: list[str], seats: int, seed: int) -> None:
    waiting = [candidate(f"bot{at}", key=key) for at, key in enumerate(keys)]
    members = next_game(waiting, seats, 0, Random(seed), others_play=False)
    if len(set(keys)) < seats:
        assert members is None
    else:
        assert members is not None
        assert len({one.key for one in members}) == len(members) == seats


def test_equal_draws_pair_equally() -> None:
    waiting = [candidate(f"bot{at}", rating=1500 + 20 * at) for at in range(30)]
    found = [next_game(waiting, 3, 0, Random(7), others_play=False) for _ in range(2)]
    assert found[0] == found[1]


def test_the_bot_that_has_waited_longest_plays_and_a_quarter_begins_with_the_least_played() -> None:
    waiting = [candidate(f"bot{at}", since=at, games=40 - at, blocks=5) for at in range(20)]
    random, first = Random(1), Counter[str]()
    for _ in range(2_000):
        members = next_game(waiting, 2, 0, random, others_play=False)
        assert members is not None
        first[members[0].bot] += 1
    assert set(first) == {"bot0", "bot19"}
    assert 0.2 < first["bot19"] / 2_000 < 0.3


def test_opponents_are_mostly_near_and_sometimes_far() -> None:
    waiting = [candidate("me", since=-1), *(candidate(f"bot{at}", rating=1500 + at) for at in range(1, 100))]
    random, distances = Random(2), list[float]()
    for _ in range(2_000):
        members = next_game(waiting, 2, 0, random, others_play=False)
        assert members is not None
        distances.append(members[1].rating - 1500)
    distances.sort()
    assert distances[1_000] <= 6
    assert distances[-1] > 60


def test_the_opponents_of_the_latest_game_meet_again_only_after_a_while_or_if_no_others_play() -> None:
    met: dict[str, object] = {"seen_ms": 1_000, "since": 1_000 + REMATCH_MS}
    pair = [candidate("ada", opponents=("bob/1",), **met), candidate("bob", opponents=("ada/1",), **met)]
    assert next_game(pair, 2, 999 + REMATCH_MS, Random(3), others_play=True) is None
    found = next_game(pair, 2, 1_000 + REMATCH_MS, Random(3), others_play=True)
    assert names(found) == {"ada", "bob"}, "although both have just asked again"
    assert names(next_game(pair, 2, 1_000, Random(3), others_play=False)) == {"ada", "bob"}
    assert "cyd" in names(next_game([*pair, candidate("cyd")], 2, 1_000, Random(3), others_play=True))
