from __future__ import annotations

from itertools import product

import pytest

from skerry_games.api import IllegalMove, MalformedMove
from skerry_games.tenerife import GAME
from skerry_games.tenerife.actions.roads import destinations
from skerry_games.tenerife.events import MerchantMoved
from skerry_games.tenerife.moves import MoveMerchant
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import LA_LAGUNA, PLACES, State
from tests.games.tenerife.acting import acted, choices, happens, refused, reveal
from tests.games.tenerife.drawing import at, position


def goals(state: State) -> set[str]:
    """Return the ids of the places that the seat can choose."""
    return {BOARD.places[move.place].id for move in choices(state) if isinstance(move, MoveMerchant)}


def test_the_first_time_a_merchant_is_placed_at_the_current_town() -> None:
    """TENERIFE-MERCHANT-1: the example of the source, with a blue and a green mansion."""
    state, events = acted("column: C0\nPUE: 1 0 2")
    assert events[0] == MerchantMoved(1, 0, None, at("PUE"), 2, 1)
    assert state.seats[0].merchant == at("PUE")
    assert GAME.scores(state) == (2, 0, 0)


def test_a_merchant_is_placed_and_takes_its_transport_space_even_for_nothing() -> None:
    """TENERIFE-MERCHANT-1, TENERIFE-ROUND-5"""
    state, events = acted("column: C0\nPUE: 0 0")
    assert events[0] == MerchantMoved(1, 0, None, at("PUE"), 0, 1)
    assert state.seats[0].merchant == at("PUE")


def test_in_a_hall_round_a_merchant_is_placed_in_la_laguna_for_the_elements_of_other_seats() -> None:
    """TENERIFE-MERCHANT-1, TENERIFE-MERCHANT-2"""
    _, events = acted("place: LAG\ncolumn: C0\nhall: 01 / 12.. / ....")
    assert events[0] == MerchantMoved(1, 0, None, LA_LAGUNA, 3, 1)


def test_a_merchant_passes_places_without_mansions_of_other_seats() -> None:
    """TENERIFE-MERCHANT-2: from Garachico past Icod, and past its own mansion in La Orotava."""
    state, events = acted("place: SCR\ncolumn: C0\nseat 0: in GAR\nORO: 0\nTAC: 1 2\nSCR: 1 1 1", seats=4)
    assert events[0] == MerchantMoved(1, 0, at("GAR"), at("TAC"), 2, 1)
    assert state.seats[0].merchant == at("TAC")


def test_the_owner_chooses_among_the_first_places_with_mansions_of_other_seats() -> None:
    """TENERIFE-MERCHANT-2"""
    state, _ = reveal(position("column: C0\nseat 0: in ICO\nGAR: 0\nPUE: 1\nTAC: 0 2 2\nSCR: 1 1"))
    assert goals(state) == {"PUE", "TAC"}
    for place in ("GAR", "ORO", "SCR", "ICO"):
        assert refused(state, MoveMerchant(at(place))) == "TENERIFE-MERCHANT-2"
    state, events = happens(state, MoveMerchant(at("TAC")))
    assert events[0] == MerchantMoved(1, 0, at("ICO"), at("TAC"), 2, 1)
    assert GAME.scores(state) == (2, 0, 0)


def test_la_laguna_counts_its_foreign_elements_and_is_passed_while_there_are_none() -> None:
    """TENERIFE-MERCHANT-2"""
    _, events = acted("column: C0\nseat 0: in TAC\nORO: 0\nSCR: 2\nhall: 0. / .... / ....")
    assert events[0] == MerchantMoved(1, 0, at("TAC"), at("SCR"), 1, 1)
    _, events = acted("column: C0\nseat 0: in SCR\nTAC: 2\nhall: 01 / 1... / 2...")
    assert events[0] == MerchantMoved(1, 0, at("SCR"), LA_LAGUNA, 3, 1)


def test_a_merchant_must_leave_a_place_with_mansions_of_other_seats() -> None:
    """TENERIFE-MERCHANT-2"""
    _, events = acted("column: C0\nseat 0: in TAC\nTAC: 1 1 1\nGAR: 2")
    assert events[0] == MerchantMoved(1, 0, at("TAC"), at("GAR"), 1, 1)


def test_a_merchant_that_reaches_no_foreign_mansion_moves_to_a_neighbouring_place_for_no_points() -> None:
    """TENERIFE-MERCHANT-2"""
    state, _ = reveal(position("column: C0\nseat 0: in ICO\nICO: 1 1\nTAC: 0"))
    assert goals(state) == {"GAR", "PUE", "ORO"}
    assert refused(state, MoveMerchant(at("TAC"))) == "TENERIFE-MERCHANT-2"
    state, events = happens(state, MoveMerchant(at("ORO")))
    assert events[0] == MerchantMoved(1, 0, at("ICO"), at("ORO"), 0, 1)
    assert GAME.scores(state) == (0, 0, 0)
    _, events = acted("column: C0\nseat 0: in GAR")
    assert events[0] == MerchantMoved(1, 0, at("GAR"), at("ICO"), 0, 1)


@pytest.mark.parametrize(
    ("text", "place", "why"),
    [
        ("", "ICO", "already in Icod and must move on"),
        ("", "TAC", "too far"),
        ("GAR: 1\nPUE: 2", "TAC", "No other player has built in Tacoronte"),
        ("ORO: 1\nPUE: 2\nTAC: 1", "TAC", "passing other players"),
    ],
)
def test_a_refusal_gives_the_reason_why_a_merchant_cannot_stop(text: str, place: str, why: str) -> None:
    """TENERIFE-MERCHANT-2"""
    state, _ = reveal(position(f"column: C0\nseat 0: in ICO\n{text}"))
    with pytest.raises(IllegalMove, match=why):
        GAME.apply(state, 0, MoveMerchant(at(place)))


def test_every_mansion_counts_but_warehouses_do_not() -> None:
    """TENERIFE-MERCHANT-3"""
    _, events = acted("column: C0\nPUE: 1 1 1 2\nstorage: 1 / 1 / - / - / - / -")
    assert events[0] == MerchantMoved(1, 0, None, at("PUE"), 4, 1)


@pytest.mark.parametrize("place", [-1, 7])
def test_a_move_with_an_unknown_place_is_malformed(place: int) -> None:
    state, _ = reveal(position("column: C0\nseat 0: in ICO"))
    with pytest.raises(MalformedMove):
        GAME.apply(state, 0, MoveMerchant(place))


def first_on_ways(origin: int, foreign: set[int]) -> set[int]:
    """Walk every way without a repeated place, and stop at the first place with foreign mansions."""
    found, ways = set[int](), list[tuple[int, ...]]([(origin,)])
    for way in ways:
        for place in BOARD.places[way[-1]].neighbours:
            if place in foreign and place != origin:
                found.add(place)
            elif place not in way:
                ways.append((*way, place))
    return found or set(BOARD.places[origin].neighbours)


def test_destinations_are_those_of_walking_every_way() -> None:
    """TENERIFE-MERCHANT-2: for every place and every set of places with mansions of others."""
    for origin, foreign in product(PLACES, product((0, 1), repeat=len(PLACES))):
        towns = [f"{BOARD.places[town].id}: {'1' * foreign[town]}" for town in PLACES[:-1]]
        hall = f"hall: {'1' if foreign[LA_LAGUNA] else '.'}. / .... / ...."
        state = position("\n".join([*towns, hall, f"seat 0: in {BOARD.places[origin].id}"]))
        wanted = first_on_ways(origin, {place for place in PLACES if foreign[place]})
        assert set(destinations(state, 0)) == wanted
