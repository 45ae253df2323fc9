"""Games with other options pass the conformance checks as well, and play as they were recorded.

``python -m tests.games.small_islands.test_variants`` records them anew.
"""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

import pytest

from skerry_service.games.small_islands import GAME
from tests.games.conformance import PLAY_CHECKS, PlayCheck
from tests.games.golden import record
from tests.games.small_islands.variants import RECORDED, VARIANTS, variant

RECORDINGS = Path(__file__).with_name("recordings")
# Redealing hundreds of times takes long; the tests of secrets look at advanced games with all numbers of seats.
SLOW = {"check_redeals_agree_with_events", "check_redeal_draws_anew"}
TABLES = [
    (name, seats, check)
    for name in VARIANTS
    for seats in GAME.seats
    for check in PLAY_CHECKS
    if check.__name__ not in SLOW or (name, seats) == ("advanced", 2)
]
GAMES = {name: variant(name) for name in VARIANTS}


@pytest.mark.parametrize(
    ("name", "seats", "check"), TABLES, ids=[f"{check.__name__}-{name}-{seats}" for name, seats, check in TABLES]
)
def test_how_a_variant_plays(name: str, seats: int, check: PlayCheck) -> None:
    check(GAMES[name], seats, 1)


@pytest.mark.parametrize(("name", "seats"), RECORDED)
def test_a_variant_plays_as_it_was_recorded(name: str, seats: int) -> None:
    recorded = path(name, seats).read_text(encoding="utf-8").splitlines()
    assert list(unified_diff(recorded, record(GAMES[name], seats).splitlines(), n=1))[:40] == []


def path(name: str, seats: int) -> Path:
    return RECORDINGS / f"{name}_{seats}_seats.txt"


def test_no_recording_is_left_over() -> None:
    assert set(RECORDINGS.iterdir()) == {path(*each) for each in RECORDED}


if __name__ == "__main__":
    RECORDINGS.mkdir(exist_ok=True)
    for each in RECORDED:
        path(*each).write_text(record(variant(each[0]), each[1]), encoding="utf-8")
