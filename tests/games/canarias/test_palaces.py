from __future__ import annotations

import pytest

from skerry_games.api import MalformedMove
from skerry_games.canarias import GAME
from skerry_games.canarias.events import ColourChosen, MaterialChosen, PalaceBuilt, TownBuilt
from skerry_games.canarias.moves import (
    CHOOSE_COLOUR,
    PLACE,
    BuildPalace,
    BuildTown,
    ChooseColour,
    Load,
    Place,
)
from skerry_games.canarias.printed.terms import Colour, Piece
from skerry_games.canarias.state import Phase, State
from tests.games.canarias.acting import choices, do, events_of, happens, refused
from tests.games.canarias.drawing import card, drawn, lies, position, sq, sqs

HOUSES = """
    seat 0 on island 1: segador-a cantero-b
      r  .  #  #  r  ~
      .  b  .  .  .  r
      .  .  =  =  b  ~
"""


def pair(names: str) -> tuple[int, int]:
    one, other = sqs(names)
    return one, other


def three(names: str) -> tuple[int, int, int]:
    one, two, other = sqs(names)
    return one, two, other


def upgrades(state: State) -> set[object]:
    return {move for move in choices(state) if isinstance(move, BuildPalace | BuildTown)}


def test_two_houses_of_one_colour_become_a_palace_on_one_of_their_squares() -> None:
    """CANARIAS-PALACE-1"""
    state, events = happens(position(HOUSES), BuildPalace(pair("A1 B6")))
    assert events == (MaterialChosen(0, Piece.PALACE, sqs("A1 B6")),)
    assert set(choices(state)) == {PLACE[square] for square in sqs("A1 B6")}
    assert refused(state, Place(sq("A5"))) == "CANARIAS-BUILD-1"
    assert refused(state, Place(sq("B1"))) == "CANARIAS-PALACE-1"
    state, events = happens(state, Place(sq("B6")))
    assert events[0] == PalaceBuilt(0, sq("B6"), Colour.RED, sqs("A1 B6"), points=1, automatic=False)
    assert drawn(state, 0) == lies(
        """
        .  .  #  #  r  ~
        .  b  .  .  .  R
        .  .  =  =  b  ~
        """
    )
    assert (state.houses_left[Colour.RED], state.palaces_left[Colour.RED]) == (7, 5)
    assert state.phase is Phase.BUILD_OR_DRAW, "the turn goes on"


def test_a_seat_builds_palaces_at_any_moment_of_its_turn_any_number_of_times() -> None:
    """CANARIAS-PALACE-1"""
    for when in ("", "turn: 0 load\n"):
        state = position(when + HOUSES)
        before = state.phase
        for houses, square in (("A1 A5", "A1"), ("B2 C5", "C5")):
            assert BuildPalace(pair(houses)) in choices(state)
            state = do(state, BuildPalace(pair(houses)), Place(sq(square)))
            assert state.phase is before
        assert not upgrades(state)


def test_the_turn_ends_with_the_card_for_the_ship() -> None:
    """CANARIAS-PALACE-1"""
    state = do(position("turn: 0 load\n" + HOUSES), Load(card("segador-a")))
    assert refused(state, BuildPalace(pair("A1 A5")), actor=0) == "CANARIAS-TURN-1"


@pytest.mark.parametrize("squares", ["A1 B2", "A1 A2", "A1 B1"], ids=["two colours", "one house", "no house"])
def test_other_squares_do_not_make_a_palace(squares: str) -> None:
    """CANARIAS-PALACE-1"""
    assert refused(position(HOUSES), BuildPalace(pair(squares))) == "CANARIAS-PALACE-1"


def test_three_houses_of_one_colour_become_a_town_on_one_of_their_squares() -> None:
    """CANARIAS-TOWN-1"""
    state = position(HOUSES)
    assert [move for move in upgrades(state) if isinstance(move, BuildTown)] == [BuildTown(three("A1 A5 B6"))]
    state, events = happens(state, BuildTown(three("A1 A5 B6")))
    assert events == (MaterialChosen(0, Piece.TOWN, sqs("A1 A5 B6")),)
    assert refused(state, Place(sq("C1"))) == "CANARIAS-TOWN-1"
    state, events = happens(state, Place(sq("A5")))
    assert events[0] == TownBuilt(0, sq("A5"), Colour.RED, sqs("A1 A5 B6"), points=2, automatic=False)
    assert drawn(state, 0) == lies(
        """
        .  .  #  #  RR ~
        .  b  .  .  .  .
        .  .  =  =  b  ~
        """
    )
    assert (state.houses_left[Colour.RED], state.towns_left[Colour.RED]) == (8, 1)


def test_palaces_and_towns_are_never_material() -> None:
    """CANARIAS-TOWN-1"""
    state = position("seat 0 on island 1:\nr r # # R ~\nRR . . . . .")
    assert upgrades(state) == {BuildPalace(pair("A1 A2"))}
    assert refused(state, BuildTown(three("A1 A2 A5"))) == "CANARIAS-TOWN-1"
    assert refused(state, BuildPalace(pair("A5 B1"))) == "CANARIAS-PALACE-1"


def test_three_houses_of_two_colours_are_no_town() -> None:
    """CANARIAS-TOWN-1"""
    assert refused(position(HOUSES), BuildTown(three("A1 A5 B2"))) == "CANARIAS-TOWN-1"


@pytest.mark.parametrize("squares", [(1, 0), (0, 0), (0, 24), (0,), (0, 4, 11)])
def test_a_palace_without_two_different_squares_is_malformed(squares: tuple[int, ...]) -> None:
    with pytest.raises(MalformedMove):
        GAME.apply(position(HOUSES), 0, BuildPalace(squares))  # type: ignore[arg-type]


def test_a_used_up_colour_of_palace_is_replaced_by_the_owners_choice() -> None:
    """CANARIAS-SUPPLY-1"""
    state = do(position("supply: red palace 0\n" + HOUSES), BuildPalace(pair("A1 A5")))
    assert choices(state) == tuple(CHOOSE_COLOUR[colour] for colour in Colour if colour is not Colour.RED)
    state = do(state, ChooseColour(Colour.GREEN))
    assert set(choices(state)) == {PLACE[square] for square in sqs("A1 A5")}
    state = do(state, Place(sq("A1")))
    assert state.seats[0].points == (0, 0, 3, 2, 0, 1)
    assert state.palaces_left[Colour.GREEN] == 5


def test_a_used_up_colour_of_town_is_replaced_as_well() -> None:
    """CANARIAS-SUPPLY-1"""
    state = do(position("supply: every town 0 | blue town 1\n" + HOUSES), BuildTown(three("A1 A5 B6")), Place(sq("A1")))
    assert state.seats[0].points == (0, 0, 0, 7, 0, 0)
    assert state.towns_left == (0,) * 6


def test_without_any_palace_or_town_in_the_supply_none_is_built() -> None:
    """CANARIAS-SUPPLY-1"""
    state = position("supply: every palace 0 | every town 0\n" + HOUSES)
    assert not upgrades(state)
    assert refused(state, BuildPalace(pair("A1 A5"))) == "CANARIAS-SUPPLY-1"
    assert refused(state, BuildTown(three("A1 A5 B6"))) == "CANARIAS-SUPPLY-1"


def test_the_first_palace_of_a_colour_scores_three_and_further_palaces_two() -> None:
    """CANARIAS-SCORE-1"""
    state = position("seat 0 on island 1:\nr r # # r ~\nr . . . . .")
    state = do(state, BuildPalace(pair("A1 A2")))
    (first,) = events_of(PalaceBuilt, state, Place(sq("A1")))
    state = do(state, Place(sq("A1")), BuildPalace(pair("A5 B1")))
    (second,) = events_of(PalaceBuilt, state, Place(sq("B1")))
    assert (first.points, second.points) == (1, 0)
    assert GAME.scores(do(state, Place(sq("B1")))) == (5, 0)


def test_four_houses_two_red_palaces_an_orange_one_and_a_green_town_are_17_points() -> None:
    """CANARIAS-SCORE-1: the example of the rulebook."""
    state = position("seat 0 on island 1:\nR R # # O ~\nGG r n b . .\ne . = = . ~")
    assert GAME.scores(state) == (17, 0)


def test_a_single_possible_colour_has_no_event_of_its_own() -> None:
    """CANARIAS-PALACE-1"""
    assert events_of(ColourChosen, position(HOUSES), BuildPalace(pair("A1 A5"))) == []
