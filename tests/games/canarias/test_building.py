from __future__ import annotations

import pytest

from skerry_games.api import MalformedMove
from skerry_games.canarias import GAME
from skerry_games.canarias.events import ColourChosen, HousePlaced, NoHouseLeft
from skerry_games.canarias.moves import CHOOSE_COLOUR, PLACE, Build, ChooseColour, Draw, Move, Place, TurnUp
from skerry_games.canarias.printed.terms import Colour, Feature, Piece
from skerry_games.canarias.state import Phase
from tests.games.canarias.acting import choices, do, events_of, happens, refused
from tests.games.canarias.drawing import card, drawn, lies, position, sq, sqs

REAPER = card("segador-a")
"""A red house; farmland, green, beige, village."""

# The worked example of the rules: no square is empty next to the farmland, there is no green building, and none is
# empty next to the beige house.
REAPER_AT_THE_VILLAGE = """
    seat 0 on island 3: segador-a cantero-b
      ~  e  o  ~  ~
      =  r  .  .  .
      =  n  #  .  .
      b  .  #  .  ~
"""


def places(names: str) -> set[Move]:
    return {PLACE[square] for square in sqs(names)}


def test_the_reaper_builds_next_to_the_village_if_nothing_better_is_free() -> None:
    """CANARIAS-BUILD-2: the example of the rulebook."""
    state = do(position(REAPER_AT_THE_VILLAGE), Build(REAPER))
    assert set(choices(state)) == places("B3 C4 D2 D4")
    assert refused(state, Place(sq("B4"))) == "CANARIAS-BUILD-2"
    state, events = happens(state, Place(sq("D4")))
    assert events == (HousePlaced(0, sq("D4"), Colour.RED, Feature.VILLAGE, False),)
    assert drawn(state, 0) == lies(
        """
        ~  e  o  ~  ~
        =  r  .  .  .
        =  n  #  .  .
        b  .  #  r  ~
        """
    )


def test_a_house_has_the_colour_of_the_settler_and_stands_on_an_empty_square_of_its_owner() -> None:
    """CANARIAS-BUILD-1"""
    state = do(position("seat 0 on island 1: segador-a cantero-b\n. . # # . ~\n. . r . . ."), Build(REAPER))
    assert set(choices(state)) == places("B4 C2 C5")
    assert refused(state, Place(sq("B3"))) == "CANARIAS-BUILD-1"
    assert refused(state, Place(sq("C3"))) == "CANARIAS-BUILD-1"
    assert refused(state, Place(sq("A6"))) == "CANARIAS-BUILD-1"
    state = do(state, Place(sq("B4")))
    assert state.seats[0].houses[Colour.RED] == 1 << sq("B3") | 1 << sq("B4")
    assert state.houses_left[Colour.RED] == 6
    with pytest.raises(MalformedMove):
        GAME.apply(do(position(REAPER_AT_THE_VILLAGE), Build(REAPER)), 0, Place(24))


def test_the_first_priority_with_an_empty_square_is_binding() -> None:
    """CANARIAS-BUILD-2: there is a green house, but the farmland comes first."""
    state = position("seat 0 on island 1: segador-a cantero-b\n. g # # . ~\n. . r b . .\n. n = = . ~")
    (house,) = events_of(HousePlaced, state, Build(REAPER))
    assert (house.square, house.next_to, house.automatic) == (sq("C5"), Feature.FARMLAND, True)


def test_any_empty_square_does_if_no_priority_can_be_met() -> None:
    """CANARIAS-BUILD-2"""
    state = position("seat 0 on island 1: segador-a cantero-b\n. n # # r ~\n. n r b . .\n. n = = n ~")
    state = do(state, Build(REAPER))
    assert set(choices(state)) == places("A1 B1 B5 B6 C1")
    (house,) = events_of(HousePlaced, state, Place(sq("B6")))
    assert house.next_to is None


@pytest.mark.parametrize(
    ("building", "squares"), [("g", "A1 B2"), ("G", "A1 B2"), ("GG", "A1 B2")], ids=["house", "palace", "town"]
)
def test_every_kind_of_building_is_a_neighbour_of_its_colour(building: str, squares: str) -> None:
    """CANARIAS-BUILD-3"""
    state = position(f"seat 0 on island 1: segador-a cantero-b\n. {building} # # . ~\n. . r b . .\n. n = = n ~")
    assert set(choices(do(state, Build(REAPER)))) == places(squares)


def test_only_buildings_on_the_same_island_count() -> None:
    """CANARIAS-BUILD-3"""
    state = position(
        """
        seat 0 on island 1: segador-a cantero-b
          .  .  #  #  .  ~
          .  .  r  b  .  .
          .  n  =  =  n  ~
        seat 1 on island 2:
          ~  g  .  .  ~
        """
    )
    assert set(choices(do(state, Build(REAPER)))) == places("A2 A5"), "the village"


def test_a_river_or_a_road_does_not_part_squares_but_corners_do() -> None:
    """CANARIAS-BUILD-4: on island 1 the river runs between B3 and B2, and B3 and C2 meet at a corner."""
    state = do(position("seat 0 on island 1: tejedor-c segador-a\n. . # # . ~\n. . e . . ."), Build(card("tejedor-c")))
    assert set(choices(state)) == places("B2 B4")


def test_a_square_that_touches_a_feature_twice_counts_once() -> None:
    """CANARIAS-BUILD-4: the coast runs along two sides of C5, and around three of B6."""
    state = do(position("seat 0 on island 1: capitan-a cantero-b"), Build(card("capitan-a")))
    assert choices(state) == tuple(PLACE[square] for square in sqs("A5 B6 C1 C2 C5"))


def test_a_used_up_colour_of_house_is_replaced_by_the_owners_choice() -> None:
    """CANARIAS-SUPPLY-1"""
    state = position("supply: red house 0 | blue house 0\nseat 0 on island 1: segador-a cantero-b")
    state = do(state, Build(REAPER))
    assert state.phase is Phase.COLOUR
    others = (Colour.ORANGE, Colour.BROWN, Colour.GREEN, Colour.BEIGE)
    assert choices(state) == tuple(CHOOSE_COLOUR[colour] for colour in others)
    assert refused(state, ChooseColour(Colour.RED)) == "CANARIAS-SUPPLY-1"
    with pytest.raises(MalformedMove):
        GAME.apply(state, 0, ChooseColour(6))  # type: ignore[arg-type]
    assert events_of(ColourChosen, state, ChooseColour(Colour.GREEN)) == [
        ColourChosen(0, Piece.HOUSE, Colour.GREEN, automatic=False)
    ]
    state = do(state, ChooseColour(Colour.GREEN))
    assert set(choices(state)) == places("B3 B4 C2 C5"), "the settler's priorities stay"
    state = do(state, Place(sq("B3")))
    assert state.seats[0].points == (0, 0, 1, 0, 0, 0), "points follow the colour that stands there"


def test_the_last_colour_in_the_supply_is_taken_without_asking() -> None:
    """CANARIAS-SUPPLY-1"""
    state = position("supply: every house 0 | beige house 1\nseat 0 on island 1: segador-a cantero-b")
    assert events_of(ColourChosen, state, Build(REAPER)) == [ColourChosen(0, Piece.HOUSE, Colour.BEIGE, automatic=True)]


def test_without_any_house_in_the_supply_nothing_is_built() -> None:
    """CANARIAS-SUPPLY-1"""
    empty = "supply: every house 0\n"
    state = position(f"{empty}seat 0 on island 1: segador-a cantero-b")
    assert choices(state) == (Draw(),)
    assert refused(state, Build(REAPER)) == "CANARIAS-SUPPLY-1"
    arrival = position(f"{empty}port: segador-a pirate-red\nseat 0 on island 1:\nr . # # . ~\nr . r r")
    assert events_of(NoHouseLeft, arrival, TurnUp(REAPER)) == [NoHouseLeft(1)]
    assert drawn(do(arrival, TurnUp(REAPER)), 1) == drawn(arrival, 1)
