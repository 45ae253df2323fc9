"""Pieces keep their ids while they stay where they are, so that a frontend can show a move."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

import pytest

from skerry_games.api import AnyGame, Viewer
from tests.games.conformance.play import play, spread
from tests.games.variants import all_variants

STEPS: Final = 60
DRAWN = [pytest.param(variant.game, id=variant.id) for variant in all_variants()]


def lying(game: AnyGame, state: Any, viewer: Viewer) -> Mapping[Any, set[str]]:
    """Return the ids of the pieces by what they look like and where they lie."""
    found = defaultdict[Any, set[str]](set)
    for piece in game.look.pieces(game.view(state, viewer), viewer):
        found[piece.symbol, piece.area, piece.at, piece.owner].add(piece.id)
    return found


@pytest.mark.parametrize("game", DRAWN)
def test_a_piece_that_stays_where_it_is_keeps_its_id(game: AnyGame) -> None:
    for step in spread(play(game, game.seats[-1], 4).steps, STEPS):
        for viewer in (0, None):
            before, after = lying(game, step.before, viewer), lying(game, step.after, viewer)
            for place in before.keys() & after.keys():
                assert before[place] & after[place], (place, step.move)
