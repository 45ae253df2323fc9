"""The steps of a move: together they are the move, and none shows a viewer more than it may see."""

from __future__ import annotations

from typing import Any

import pytest

from skerry_games.api import AnyGame
from skerry_games.rng import SeededRng
from skerry_games.tenerife import GAME as TENERIFE
from skerry_games.tenerife import events
from tests.games.conformance.play import play, spread, viewers_of
from tests.games.test_every_game import is_deep
from tests.games.variants import all_variants

MOVES = 40
STEPPED = [
    pytest.param(
        variant.game, seats, id=f"{variant.id}-{seats}", marks=[pytest.mark.deep] if is_deep(variant, seats) else []
    )
    for variant in all_variants()
    if variant.game.steps
    for seats in variant.game.seats
]


@pytest.mark.parametrize(("game", "seats"), STEPPED)
def test_the_steps_of_a_move_are_the_move(game: AnyGame, seats: int) -> None:
    most = 0
    for step in play(game, seats, 1).steps:
        shown = game.in_steps(step.before, step.actor, step.move)
        assert shown[-1][0] == step.after
        assert tuple(event for _, happened in shown for event in happened) == step.events
        most = max(most, len(shown))
    assert most > 1


@pytest.mark.parametrize(("game", "seats"), STEPPED)
def test_a_viewer_sees_the_same_in_each_step_whatever_is_hidden_from_it(game: AnyGame, seats: int) -> None:
    moves = [step for step in play(game, seats, 2).steps if len(game.in_steps(step.before, step.actor, step.move)) > 1]
    for number, step in enumerate(spread(moves, MOVES)):
        for state, _ in game.in_steps(step.before, step.actor, step.move)[:-1]:
            for viewer in viewers_of(seats):
                other = game.redeal(state, viewer, SeededRng(bytes(32), number))
                assert pieces(game, other, viewer) == pieces(game, state, viewer)


def pieces(game: AnyGame, state: Any, viewer: int | None) -> Any:
    return game.look.pieces(game.view(state, viewer), viewer)


def test_the_last_card_lies_face_down_before_all_are_turned_and_each_character_acts_in_a_step_of_its_own() -> None:
    last = next(
        step
        for step in play(TENERIFE, 3, 1).steps
        if any(isinstance(one, events.CharactersRevealed) for one in step.events)
    )
    laid, turned, *acted = TENERIFE.in_steps(last.before, last.actor, last.move)
    assert [type(event) for event in laid[1]] == [events.CharacterLaid]
    assert all(space.character is None for space in TENERIFE.view(laid[0], None).column)
    assert [type(event) for event in turned[1]] == [events.CharactersRevealed]
    assert all(space.character for space in TENERIFE.view(turned[0], None).column)
    spaces = [TENERIFE.view(state, None).active_space for state, _ in acted]
    assert spaces[:2] == [1, 2][: len(acted)]
