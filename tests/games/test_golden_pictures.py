"""Every game has a recorded picture, byte for byte."""

from __future__ import annotations

from typing import Final

import pytest

from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from tests.games.golden_pictures import HERE, draw, picture_path

MOST_BYTES: Final = 150_000
RECORD: Final = "python -m tests.games.golden_pictures"


@pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in all_games().values()])
def test_a_picture_is_as_recorded(game: AnyGame) -> None:
    path = picture_path(game)
    assert path.exists(), f"{game.id} has no picture: {RECORD} {game.id}"
    recorded = path.read_text(encoding="utf-8")
    assert len(recorded.encode()) < MOST_BYTES
    assert draw(game) + "\n" == recorded, f"The picture of {game.id} differs from {path.name}: {RECORD} {game.id}"


def test_no_picture_is_left_over() -> None:
    assert set(HERE.iterdir()) == set(map(picture_path, all_games().values()))
