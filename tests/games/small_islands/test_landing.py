from __future__ import annotations

from msgspec import msgpack

from skerry_games.small_islands import GAME
from skerry_games.small_islands.events import ObjectiveRevealed, ShipLanded
from skerry_games.small_islands.moves import LandShip
from skerry_games.small_islands.state import Phase, State
from skerry_games.small_islands.tabletop.cells import members
from skerry_games.small_islands.tabletop.table import ship_cells
from tests.games.small_islands.acting import choices, do, happens, land, lay, pick, refused, take
from tests.games.small_islands.drawing import card, cell, position

STRIP = """
    L06/2 L24/2
    L42   L43
    seat 0: objective O7
    seat 1: objective O8
"""


def ships(state: State) -> set[tuple[int, bool]]:
    return {(move.at, move.grey) for move in choices(state) if isinstance(move, LandShip)}


def test_a_seat_lands_with_its_own_ship_by_the_rules_of_placement() -> None:
    """SMALL-LAND-1: above and below the strip, where all corners are sea."""
    state = position(STRIP)
    sea = {cell(at) for at in ("4,3", "5,3", "4,6", "5,6")}
    assert {at for at, grey in ships(state) if not grey} == sea == set(members(ship_cells(state.table)))
    assert refused(state, land("3,4")) == "SMALL-TILE-3"
    assert refused(state, land("3,3")) == "SMALL-TILE-2"
    assert refused(state, land("4,4")) == "SMALL-TILE-2"


def test_landing_ends_the_exploration_at_once_without_a_bonus_token() -> None:
    """SMALL-LAND-1: no seat can fulfil its objective here, so the round ends as well."""
    state, events = happens(position(STRIP), land("4,3"))
    assert events[:2] == (ShipLanded(0, False, cell("4,3")), ObjectiveRevealed(0, (card("O7"),)))
    assert state.phase is Phase.DEAL_CARDS
    assert GAME.view(state, None).seats[0].ship == cell("4,3")


def test_an_own_ship_is_placed_once() -> None:
    """SMALL-LAND-1"""
    state = position(f"~0 L55\n{STRIP.replace('L06/2 L24/2', '').replace('L42   L43', '')}")
    assert {grey for _, grey in ships(state)} == {True}
    assert refused(state, land("5,5")) == "SMALL-LAND-1"


def test_with_two_seats_there_are_two_grey_ships() -> None:
    """SMALL-LAND-1, SMALL-SETUP-5"""
    assert GAME.view(position("L55"), None).grey_ships == 2
    assert GAME.view(position("L55", seats=3), None).grey_ships == 1
    state = position("~grey ~grey L55")
    assert GAME.view(state, None).grey_ships == 0
    assert refused(state, land("4,5", grey=True)) == "SMALL-LAND-1"
    assert land("4,5") in choices(state)


def test_with_four_seats_there_is_no_grey_ship() -> None:
    """SMALL-LAND-1, SMALL-SETUP-5"""
    state = position("L55", seats=4)
    assert {grey for _, grey in ships(state)} == {False}
    assert refused(state, land("4,5", grey=True)) == "SMALL-LAND-1"


def test_whose_ships_are_all_placed_cannot_land() -> None:
    """SMALL-LAND-2"""
    state = position("~0 L55\nseat 0: hand L01 L02", seats=4)
    assert ships(state) == set()
    assert refused(state, land("4,5")) == "SMALL-LAND-2"
    assert len(choices(state)) == 3, "exploring is left"


def test_without_a_cell_of_sea_nobody_can_land() -> None:
    """SMALL-LAND-2"""
    state = position("L17")
    assert ships(state) == set()
    assert refused(state, land("4,3")) == "SMALL-LAND-2"


def test_a_grey_ship_belongs_to_nobody() -> None:
    """SMALL-LAND-1"""
    state, events = happens(position(STRIP), land("4,3", grey=True))
    assert events[0] == ShipLanded(0, True, cell("4,3"))
    assert [seat.ship for seat in GAME.view(state, None).seats] == [None, None]
    assert GAME.view(state, None).grey_ships == 1


def test_a_grey_ship_that_an_earlier_build_stored_has_no_seat() -> None:
    """Builds stored -1 under the same ruleset."""
    state = do(position(STRIP), land("4,3", grey=True))
    earlier = msgpack.encode(state).replace(msgpack.encode(state.table.ships[-1]), msgpack.encode((cell("4,3"), -1)))
    assert earlier != msgpack.encode(state)
    assert msgpack.decode(earlier, type=State) == state


def test_who_explores_does_not_land_in_the_same_turn() -> None:
    """SMALL-EXPLORE-1"""
    state = do(position("L55\ndisplay: L01"), take("L01"), pick("L01"), lay("5,4", 1))
    assert refused(state, land("4,5")) == "SMALL-TOKEN-1"
