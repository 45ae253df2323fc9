"""Every game and variant has a recording for each number of seats, and still plays as recorded."""

from __future__ import annotations

from difflib import unified_diff
from itertools import islice

import pytest

from tests.games.golden import HERE, record, recording_path
from tests.games.variants import Variant, all_variants

TABLES = [
    pytest.param(variant, seats, id=f"{variant.id}-{seats}")
    for variant in all_variants()
    for seats in variant.game.seats
]
RECORD = "python -m tests.games.golden"
SHOWN_LINES = 60


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_a_game_plays_as_recorded(variant: Variant, seats: int) -> None:
    path = recording_path(variant, seats)
    command = f"{RECORD} {variant.game.id}"
    assert path.exists(), f"{variant.id} has no recording for {seats} seats: {command}"
    recorded, played = path.read_text(encoding="utf-8").splitlines(), record(variant.game, seats).splitlines()
    difference = unified_diff(recorded, played, "recorded", "played", n=2)
    shown = "\n".join(islice(difference, SHOWN_LINES))
    assert not shown, f"{variant.id} with {seats} seats differs from its recording ({command}):\n{shown}"


def test_no_recording_is_left_over() -> None:
    wanted = {recording_path(variant, seats) for variant in all_variants() for seats in variant.game.seats}
    assert set(HERE.glob("*/golden/*")) == wanted
