"""The information state shows what its seat knows, and does not give access to the true state."""

from __future__ import annotations

from typing import Any

import pytest

from skerry_games.api import AnyGame
from skerry_games.information_state import InformationState, seen_from
from skerry_games.position import Position
from tests.games.conformance.play import dice, play
from tests.games.variants import all_variants

GAMES = [pytest.param(variant.game, id=variant.id) for variant in all_variants()]


def information_states(game: AnyGame) -> list[tuple[Any, int, InformationState]]:
    """Return states of a game, each with a seat that is to act, and its information state."""
    return [
        (state, seat, seen_from(Position(game, state), seat, dice(2, number)))
        for number, state in enumerate(play(game, game.seats[-1], 1).states)
        for seat in game.to_act(state)
        if seat >= 0
    ]


@pytest.mark.parametrize("game", GAMES)
def test_an_information_state_shows_what_its_seat_sees(game: AnyGame) -> None:
    for state, seat, seen in information_states(game):
        assert (seen.game, seen.seat) == (game, seat)
        assert seen.view == game.view(state, seat)
        assert seen.legal_moves == game.legal_moves(state, seat)


@pytest.mark.parametrize("game", GAMES)
def test_samples_look_like_the_true_state_and_differ_from_each_other(game: AnyGame) -> None:
    differing = 0
    for state, seat, seen in information_states(game)[::7]:
        one, other = (seen.sample(dice(3, number)) for number in (1, 2))
        assert one.view(seat) == other.view(seat) == game.view(state, seat)
        assert one == seen.sample(dice(3, 1))
        differing += one.state != other.state
    assert (differing > 0) == (game.id != "kreta")  # where nothing is hidden, all samples are the true state


@pytest.mark.parametrize("game", GAMES)
def test_no_public_attribute_is_a_state(game: AnyGame) -> None:
    for _, _, seen in information_states(game)[:1]:
        assert {name for name in dir(seen) if not name.startswith("_")} == {
            "game",
            "legal_moves",
            "sample",
            "seat",
            "view",
        }


def test_the_private_sample_is_not_the_true_state() -> None:
    hiding = [variant.game for variant in all_variants() if variant.id == "canarias"]
    for game in hiding:
        kept = [(state, seen._sample.state) for state, _, seen in information_states(game)]  # type: ignore[attr-defined]
        assert sum(true == sample for true, sample in kept) < len(kept) / 10
