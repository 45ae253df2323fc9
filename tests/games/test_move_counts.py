"""The numbers of move sequences are unchanged (``tests.games.move_counts``)."""

from __future__ import annotations

import pytest

from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from tests.games.move_counts import counted, counts_path

GAMES = [pytest.param(game, id=game.id) for game in all_games().values() if counts_path(game).exists()]


@pytest.mark.parametrize("game", GAMES)
def test_the_numbers_of_move_sequences_are_unchanged(game: AnyGame) -> None:
    assert counted(game).splitlines() == counts_path(game).read_text(encoding="utf-8").splitlines()
