"""The steps of a move: together they are the move, and none shows a viewer more than it may see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from skerry_games.api import CHANCE, AnyGame
from skerry_games.canarias import GAME as CANARIAS
from skerry_games.canarias.events import SettlerChose, ShipCardTurnedUp
from skerry_games.canarias.moves import TurnUp
from skerry_games.canarias.printed.cards import FIRST_PIRATE
from skerry_games.canarias.state import NO_SEAT
from skerry_games.kreta import GAME as KRETA
from skerry_games.kreta.events import CardPlayed, CardsReturned, ProvinceScored, ScoringBegun
from skerry_games.rng import SeededRng
from skerry_games.small_islands import GAME as SMALL_ISLANDS
from skerry_games.small_islands.events import BuildingEnded, HousePaid, HousePlaced, ObjectiveRevealed
from skerry_games.small_islands.moves import PlaceHouse
from skerry_games.tenerife import GAME as TENERIFE
from skerry_games.tenerife import events
from tests.games.conformance.play import play, spread, viewers_of
from tests.games.conformance.step_secrecy import shown
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
        steps = game.in_steps(step.before, step.actor, step.move)
        assert steps[-1][0] == step.after
        assert tuple(happened(steps)) == step.events
        most = max(most, len(steps))
    assert most > 1


@pytest.mark.parametrize(("game", "seats"), STEPPED)
def test_the_points_after_each_step_are_those_of_its_events(game: AnyGame, seats: int) -> None:
    assert game.guide is not None
    for step in play(game, seats, 1).steps:
        points = [*game.scores(step.before)]
        for state, now in game.in_steps(step.before, step.actor, step.move):
            for gain in [gain for event in now for gain in game.guide.gains(event)]:
                points[gain.seat] += gain.points
            assert game.scores(state) == tuple(points)


@pytest.mark.parametrize(("game", "seats"), STEPPED)
def test_a_viewer_sees_the_same_in_each_step_whatever_is_hidden_from_it(game: AnyGame, seats: int) -> None:
    moves = [step for step in play(game, seats, 2).steps if len(game.in_steps(step.before, step.actor, step.move)) > 1]
    for number, step in enumerate(spread(moves, MOVES)):
        for state, _ in game.in_steps(step.before, step.actor, step.move)[:-1]:
            for viewer in viewers_of(seats):
                other = game.redeal(state, viewer, SeededRng(bytes(32), number))
                assert pieces(game, other, viewer) == pieces(game, state, viewer)


@pytest.mark.parametrize(("game", "seats"), STEPPED)
def test_steps_differ_only_where_the_viewer_sees_other_events_or_another_end(game: AnyGame, seats: int) -> None:
    moves = [step for step in play(game, seats, 3).steps if len(game.in_steps(step.before, step.actor, step.move)) > 1]
    compared = 0
    for number, step in enumerate(spread(moves, MOVES // 2)):
        for viewer in viewers_of(seats):
            other = game.redeal(step.before, viewer, SeededRng(bytes(32), number))
            if step.move in game.legal_moves(other, step.actor):
                real, redealt = [seen(game, state, step, viewer) for state in (step.before, other)]
                if happened(real) == happened(redealt) and real[-1][0] == redealt[-1][0]:
                    assert real == redealt
                    compared += 1
    assert compared


def seen(game: AnyGame, state: Any, step: Any, viewer: int | None) -> list[tuple[Any, tuple[Any, ...]]]:
    """Return the pieces after each step of a move from a state, and its events, as a viewer sees them."""
    steps = game.in_steps(state, step.actor, step.move)
    return [(pieces(game, after, viewer), shown(game, events, viewer)) for after, events in steps]


def happened(steps: Sequence[tuple[Any, tuple[Any, ...]]]) -> list[Any]:
    return [event for _, events in steps for event in events]


def pieces(game: AnyGame, state: Any, viewer: int | None) -> Any:
    return game.look.pieces(game.view(state, viewer), viewer)


def first_steps(game: AnyGame, kind: type) -> Sequence[Any]:
    """Return the steps of the first move with an event of a kind."""
    moves = play(game, 3, 1).steps
    move = next(each for each in moves if any(isinstance(event, kind) for event in each.events))
    return game.in_steps(move.before, move.actor, move.move)


def test_the_last_card_lies_face_down_before_all_are_turned_and_each_character_acts_in_a_step_of_its_own() -> None:
    laid, turned, *acted = first_steps(TENERIFE, events.CharactersRevealed)
    assert [type(event) for event in laid[1]] == [events.CharacterLaid]
    assert all(space.character is None for space in TENERIFE.view(laid[0], None).column)
    assert [type(event) for event in turned[1]] == [events.CharactersRevealed]
    assert all(space.character for space in TENERIFE.view(turned[0], None).column)
    spaces = [TENERIFE.view(state, None).active_space for state, _ in acted]
    assert spaces[:2] == [1, 2][: len(acted)]


def test_provinces_are_scored_one_by_one_before_the_fort_card_goes_away() -> None:
    *scoring, (after, returned) = first_steps(KRETA, ProvinceScored)
    kinds = [[type(event) for event in happened] for _, happened in scoring]
    assert kinds[0] == [CardPlayed, ScoringBegun]
    assert kinds[1:] == [[ProvinceScored]] * (len(scoring) - 1)
    assert [type(event) for event in returned] == [CardsReturned]
    assert {state.row[1:] for state, _ in scoring} == {after.row}


def test_a_card_of_the_ship_lies_face_up_before_it_takes_effect() -> None:
    (ashore, turned_up), *effects = first_steps(CANARIAS, ShipCardTurnedUp)
    (event,) = turned_up
    assert CANARIAS.view(ashore, None).card == event.card
    assert [type(one) for one in effects[0][1]][:1] == [SettlerChose]


def test_no_player_learns_whose_of_two_equal_cards_came_ashore() -> None:
    state = next(step.before for step in play(CANARIAS, 3, 1).steps if isinstance(step.move, TurnUp))
    state = replace(state, ship=((0, NO_SEAT), (FIRST_PIRATE, 0), (FIRST_PIRATE, 1)))
    steps = CANARIAS.in_steps(state, CHANCE, TurnUp(FIRST_PIRATE))
    for viewer in (0, 1):
        assert {CANARIAS.view(after, viewer).aboard for after, _ in steps} == {()}


def test_a_house_is_paid_before_the_next_seat_reveals_its_objective() -> None:
    moves = [move for move in play(SMALL_ISLANDS, 3, 1).steps if isinstance(move.move, PlaceHouse)]
    stepped = [SMALL_ISLANDS.in_steps(move.before, move.actor, move.move) for move in moves]
    steps = next(steps for steps in stepped if len(steps) > 2)[:3]
    kinds = [[type(event) for event in happened] for _, happened in steps]
    assert kinds == [[HousePlaced, HousePaid], [BuildingEnded], [ObjectiveRevealed]]
    seats = [SMALL_ISLANDS.view(state, None).acting_seat for state, _ in steps]
    assert seats[0] == seats[1] != seats[2]
