"""Every game is recorded with each of its numbers of seats, and plays today as it was recorded."""

from __future__ import annotations

from difflib import unified_diff
from itertools import islice

import pytest

from skerry_service.games.api import AnyGame
from skerry_service.games.catalogue import all_games
from tests.games.golden import record, recording_path

TABLES = [pytest.param(game, seats, id=f"{game.id}-{seats}") for game in all_games().values() for seats in game.seats]
RECORD_ANEW = "python -m tests.games.golden"
SHOWN_LINES = 60


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_game_plays_as_it_was_recorded(game: AnyGame, seats: int) -> None:
    path = recording_path(game, seats)
    assert path.exists(), f"{game.id} has no recording for {seats} seats: {RECORD_ANEW} {game.id}"
    difference = unified_diff(
        path.read_text(encoding="utf-8").splitlines(), record(game, seats).splitlines(), "recorded", "played", n=2
    )
    shown = "\n".join(islice(difference, SHOWN_LINES))
    assert not shown, f"{game.id} with {seats} seats plays otherwise than recorded ({RECORD_ANEW} {game.id}):\n{shown}"


@pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in all_games().values()])
def test_no_recording_is_left_over(game: AnyGame) -> None:
    wanted = {recording_path(game, seats) for seats in game.seats}
    assert set(wanted.pop().parent.iterdir()) <= {recording_path(game, seats) for seats in game.seats}
