"""A position in words is complete: the view can be rebuilt from it. It is short, and marks the viewer's own seat."""

from __future__ import annotations

import re
from importlib import import_module
from itertools import islice
from typing import Final

import pytest

from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games
from skerry_games.position import start
from skerry_games.rng import SeededRng
from skerry_games.texts.plain_text import plain_text
from tests.games.conformance.play import play, viewers_of
from tests.games.test_every_game import is_deep
from tests.games.variants import all_variants

MOST_TOKENS: Final = 2500
POSITIONS: Final = 1000
"""Positions of a game that the length is measured at."""

GAMES = [pytest.param(game, id=game.id) for game in all_games().values()]
TABLES = [
    pytest.param(
        variant.game, seats, id=f"{variant.id}-{seats}", marks=[pytest.mark.deep] if is_deep(variant, seats) else []
    )
    for variant in all_variants()
    for seats in variant.game.seats
    if variant.game.text is not plain_text
]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_view_can_be_rebuilt_from_the_text(game: AnyGame, seats: int) -> None:
    read = import_module(f"tests.games.{game.id}.text_reader").read
    for state in play(game, seats, 1).states[::3]:
        for viewer in viewers_of(seats):
            view = game.view(state, viewer)
            assert read(game.text(view, viewer)) == view


def test_a_fact_that_is_left_out_is_noticed() -> None:
    game = all_games()["kreta"]
    text = game.text(game.view(play(game, 2, 1).last, None), None)
    read = import_module("tests.games.kreta.text_reader").read
    for line in text.splitlines():
        *facts, last = line.split("; ")
        shorter = text.replace(line, "; ".join(facts)) if facts else text.replace(last, "")
        with pytest.raises((AssertionError, KeyError, StopIteration, ValueError)):
            assert read(shorter) == read(text)


@pytest.mark.parametrize("game", GAMES)
def test_boards_have_words(game: AnyGame) -> None:
    for board in game.boards:
        lines = game.board_text(board).splitlines()
        assert lines[0] == f"edition: {board.edition}"
        assert len(set(lines)) == len(lines)


def tokens(text: str) -> int:
    """Return a number of tokens that no usual tokenizer exceeds: each word, number and sign counts."""
    return len(re.findall(r"\w+|[^\w\s]", text))


@pytest.mark.parametrize("game", GAMES)
def test_texts_are_short(game: AnyGame) -> None:
    seats = game.seats[-1]
    states = islice((state for seed in range(100) for state in play(game, seats, seed).states), POSITIONS)
    assert max(tokens(game.text(game.view(state, 0), 0)) for state in states) <= MOST_TOKENS


def test_a_position_has_the_names_of_its_players() -> None:
    position = start("kreta", rng=SeededRng(bytes(32), 0))
    assert "seat 0 (Ada, you): 0 points;" in position.text(0, ["Ada", "Bob"])
    assert "seat 1 (player 1): 0 points;" in position.text(None)
