from __future__ import annotations

import pytest

from skerry_games.api import CHANCE, CHANCE_ACTS, MalformedMove
from skerry_games.small_islands import GAME
from skerry_games.small_islands.events import HandShown, TilePicked, TileTaken, TileTurnedUp
from skerry_games.small_islands.moves import NO_TOKEN, TurnUpTile
from skerry_games.small_islands.state import Phase
from tests.games.small_islands.acting import (
    choices,
    do,
    drawn_on,
    explore,
    happens,
    land,
    lay,
    pick,
    refused,
    take,
)
from tests.games.small_islands.drawing import face, position

SEA = "L55"


def test_a_seat_explores_or_lands() -> None:
    """SMALL-EXPLORE-1"""
    listed = choices(position(f"{SEA}\ndisplay: L01 L02"))
    assert listed[:2] == (take("L01"), take("L02"))
    assert land("4,3") in listed and land("4,3", grey=True) in listed


def test_nobody_lands_while_the_navigation_stack_has_tiles() -> None:
    """SMALL-EXPLORE-1"""
    state = position(f"{SEA}\nstack: 1\ndisplay: L01 L02")
    assert choices(state) == (take("L01"), take("L02"))
    assert refused(state, land("4,3")) == "SMALL-EXPLORE-1"


def test_others_wait_for_their_turn() -> None:
    """SMALL-EXPLORE-1"""
    state = position(f"{SEA}\ndisplay: L01 L02")
    assert refused(state, take("L01"), actor=1) == "SMALL-EXPLORE-1"
    assert refused(state, pick("L01")) == "SMALL-EXPLORE-1"


def test_a_starting_tile_that_is_asked_for_is_called_by_its_id() -> None:
    """SMALL-EXPLORE-2"""
    state = position(f"{SEA}\ndisplay: L01 L02 L03\nseat 0: hand L19 L20")
    for asked, move in ((state, take("S1A")), (do(state, take("L01")), pick("S1A"))):
        with pytest.raises(MalformedMove, match=r"^S1A is not a landscape tile"):
            GAME.apply(asked, 0, move)


def test_exploring_takes_a_tile_of_the_display_and_lays_one_of_three() -> None:
    """SMALL-EXPLORE-2"""
    state = position(f"{SEA}\ndisplay: L01 L02 L03\nseat 0: hand L19 L20")
    state, events = happens(state, take("L02"))
    assert events == (TileTaken(0, face("L02")),)
    assert choices(state) == (pick("L02"), pick("L19"), pick("L20"))
    state, events = happens(state, pick("L19"))
    assert events == (TilePicked(0, face("L19")),)
    state = do(state, lay("5,4", 1))
    view = GAME.view(state, 0)
    assert view.seats[0].hand == (face("L02"), face("L20"))
    assert view.display == (face("L01"), face("L03"))


def test_a_tile_that_is_not_in_the_display_or_not_in_the_hand_is_refused() -> None:
    """SMALL-EXPLORE-2"""
    state = position(f"{SEA}\ndisplay: L01 L02\nseat 0: hand L19 L20")
    assert refused(state, take("L19")) == "SMALL-EXPLORE-2"
    assert refused(do(state, take("L01")), pick("L02")) == "SMALL-EXPLORE-2"
    assert refused(do(state, take("L01")), lay("5,4")) == "SMALL-EXPLORE-2"
    assert refused(do(state, take("L01"), pick("L19")), pick("L20")) == "SMALL-EXPLORE-2"


@pytest.mark.parametrize(("stack", "from_stack"), [("2", True), ("0", False)])
def test_the_display_is_refilled_from_the_stack_first_and_then_from_the_reserve(stack: str, from_stack: bool) -> None:
    """SMALL-EXPLORE-2"""
    state = position(f"{SEA}\nstack: {stack}\nreserve: 9\ndisplay: L01 L02 L03")
    state = do(state, *explore("L01", "5,4", 1))
    assert GAME.to_act(state) == CHANCE_ACTS
    tile = state.unseen[0]
    state, events = happens(state, TurnUpTile(tile))
    assert events == (TileTurnedUp(tile, from_stack),)
    view = GAME.view(state, None)
    assert view.display == (face("L02"), face("L03"), tile)
    assert (view.navigation_stack, view.reserve) == ((1, 9) if from_stack else (0, 8))
    assert view.acting_seat == 1


def test_without_stack_and_reserve_the_display_is_not_refilled() -> None:
    """SMALL-EXPLORE-2"""
    state = do(position(f"{SEA}\nreserve: 0\ndisplay: L01 L02 L03"), *explore("L01", "5,4", 1))
    assert (GAME.to_act(state), state.display) == ((1,), (face("L02"), face("L03")))


def test_a_tile_is_turned_up_only_by_chance_when_it_is_due() -> None:
    """SMALL-EXPLORE-2"""
    state = do(position(f"{SEA}\nreserve: 9\ndisplay: L01 L02 L03"), *explore("L01", "5,4", 1))
    assert refused(state, take("L02"), actor=CHANCE) == "SMALL-EXPLORE-2"
    assert refused(state, TurnUpTile(face("L01"))) == "SMALL-SETUP-3"


# Only sea is laid, and beside it fits nothing but tiles with a side of sea.
FULL = """
    ~grey L55
    L56   ~grey
    display: {display}
    seat 0: hand {hand}
    reserve: {reserve}
"""


def stuck(display: str = "L17 L18", hand: str = "L35 L36", reserve: str = "5") -> str:
    return FULL.format(display=display, hand=hand, reserve=reserve)


def test_a_hand_of_which_nothing_fits_is_shown_and_the_taken_tile_leaves_the_game() -> None:
    """SMALL-EXPLORE-3: no tile of the hand has a side of sea."""
    state = position(stuck())
    state, events = happens(state, take("L17"))
    assert events == (
        TileTaken(0, face("L17")),
        HandShown(0, (face("L17"), face("L35"), face("L36")), face("L17")),
    )
    view = GAME.view(state, 1)
    assert view.gone[-1] == face("L17")
    assert view.seats[0].hand == view.seats[0].open_hand == (face("L35"), face("L36"))
    assert GAME.to_act(state) == CHANCE_ACTS, "the display is refilled"
    assert GAME.to_act(drawn_on(state)) == (1,), "and the turn is over"


def test_a_hand_of_which_one_tile_fits_is_not_shown() -> None:
    """SMALL-EXPLORE-3: and the seat is asked for the tile, so that others do not learn that it is the only one."""
    state = do(position(stuck(hand="L01 L35")), take("L17"))
    assert choices(state) == (pick("L01"),)
    assert refused(state, pick("L35")) == "SMALL-TILE-3"
    assert GAME.view(state, 1).seats[0].hand == (face("L17"),)


def test_a_hand_of_which_nothing_fits_takes_a_tile_of_the_display_that_does() -> None:
    """SMALL-EXPLORE-3: a tile cannot be made to leave the game on purpose."""
    state = position(stuck(display="L17 L01 L18 L02", reserve="9"))
    assert choices(state)[:2] == (take("L01"), take("L02")) and take("L17") not in choices(state)
    assert refused(state, take("L17")) == refused(state, take("L18")) == "SMALL-EXPLORE-3"
    assert choices(do(state, take("L01"))) == (pick("L01"),)


def test_a_hand_of_which_nothing_fits_may_land_all_the_same() -> None:
    """SMALL-EXPLORE-3, SMALL-LAND-1"""
    assert land("4,3") in choices(position(stuck(display="L17 L01")))


def test_a_hand_of_which_a_tile_fits_takes_any_tile_of_the_display() -> None:
    """SMALL-EXPLORE-2"""
    state = position(stuck(display="L17 L02", hand="L01 L35"))
    assert choices(state)[:2] == (take("L17"), take("L02"))


def test_there_is_no_exploring_without_a_tile_in_the_display() -> None:
    """SMALL-EXPLORE-3"""
    state = position(f"{SEA}\nreserve: 0\ndisplay:")
    assert all(isinstance(move, type(land("4,3"))) for move in choices(state))
    assert refused(state, take("L01")) == "SMALL-EXPLORE-3"


def test_a_turn_without_a_token_left_ends_when_the_tile_is_laid() -> None:
    """SMALL-TOKEN-1"""
    state = position(f"{SEA}\nreserve: 0\ndisplay: L01 L02\nseat 0: left")
    state = do(state, take("L01"), pick("L01"), lay("5,4", 1))
    assert (GAME.to_act(state), state.phase) == ((1,), Phase.TURN)
    assert NO_TOKEN not in choices(state)
