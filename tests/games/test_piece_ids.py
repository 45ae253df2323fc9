"""Pieces keep their ids while they stay where they are, so that a frontend can show a move."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

import skerry_games
from skerry_games.api import AnyGame, Viewer
from tests.games.conformance.play import play, spread
from tests.games.test_guides import GUIDED, seen_ids
from tests.games.variants import all_variants

STEPS: Final = 60
STATES: Final = 25
COLOUR: Final = re.compile(r"(?<=^house-)[a-z]+|(?<=^palace-)[a-z]+|(?<=^town-)(?!card)[a-z]+")
COPY: Final = re.compile(r"(?<=-[a-z]):\d+$")
"""The number of a card of which another copy lies in the same place."""
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


def kind(name: str) -> tuple[str, int]:
    """Return what the ids of one kind share: the words before the first colon, and the number of colons."""
    return COLOUR.sub("red", name).partition(":")[0], COPY.sub("", name).count(":")


@pytest.mark.parametrize(("game", "seats"), GUIDED)
def test_each_kind_of_id_is_in_the_readme(game: AnyGame, seats: int) -> None:
    readme = (Path(skerry_games.__file__).parent / game.id / "README.md").read_text()
    table = readme.partition("### Ids of places and pieces")[2].partition("```")[0]
    listed = {kind(name) for name in re.findall(r"`([^`]+)`", table)}
    shown = [(state, viewer) for state in spread(play(game, seats, 3).states, STATES) for viewer in (0, None)]
    seen = {name for state, viewer in shown for name in seen_ids(game, state, viewer)}
    assert [name for name in sorted(seen) if kind(name) not in listed] == []
