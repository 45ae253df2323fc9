from __future__ import annotations

from msgspec.structs import replace

from skerry_games.small_islands import GAME
from skerry_games.small_islands.events import (
    BuildingEnded,
    CardsShuffled,
    HousePaid,
    HousePlaced,
    ObjectiveRevealed,
    Part,
    PartKind,
    RoundBegun,
)
from skerry_games.small_islands.moves import STOP_BUILDING
from skerry_games.small_islands.printed.components import Symbol
from skerry_games.small_islands.state import Mode, Phase, State, with_seat
from tests.games.small_islands.acting import choices, do, happens, house, land, refused, take
from tests.games.small_islands.drawing import card, cell, position

ISLANDS = """
    L24/2 . L27/2 . L01/2 . L55
    L25   . L42   . .     . .
"""
"""(4, 4): fruits 3, leaf 1, houses at both. (6, 4): fruit, temple, leaves 2, houses at both. (8, 4): one tile."""


def landed(more: str = "", picture: str = ISLANDS, seats: int = 2, mode: Mode = Mode.NORMAL) -> State:
    """Return the position after seat 0 has landed with a grey ship below the sea tile."""
    return do(position(f"{picture}\n{more}", seats, mode), land("10,5", grey=True))


FLAT = "seat 0: objective O5\nseat 1: objective O1"
"""Seat 0: more fruits than flowers, 6 points. Seat 1: more flowers than fruits: only the single tile."""


def test_the_seat_that_landed_reveals_its_objective_and_places_houses_where_it_is_fulfilled() -> None:
    """SMALL-REWARD-1"""
    state, events = happens(position(f"{ISLANDS}\n{FLAT}"), land("10,5", grey=True))
    assert events[1] == ObjectiveRevealed(0, (card("O5"),))
    assert choices(state) == (house("4,4"), house("6,4"), house("4,5"), house("6,5"), STOP_BUILDING)
    state, events = happens(state, house("6,5"))
    assert events == (
        HousePlaced(0, cell("6,5"), cell("6,4"), 2),
        HousePaid(0, cell("6,5"), (Part(PartKind.FIXED, 1, 6),), 6),
    )
    assert GAME.scores(state) == (6, 0)


def test_an_island_that_does_not_fulfil_the_mission_gets_no_house() -> None:
    """SMALL-REWARD-1"""
    assert refused(landed("seat 0: objective O7", "L24/2 . L09/2 . . . L55\nL25 . L06 . . . ."), house("4,4")) == (
        "SMALL-REWARD-1"
    )


def test_placing_is_never_compulsory() -> None:
    """SMALL-REWARD-1"""
    state, events = happens(landed(FLAT), STOP_BUILDING)
    assert events[0] == BuildingEnded(0, False, 0)
    assert state.round == 2, "seat 1 could place no house"


def test_the_seats_follow_clockwise_once_each() -> None:
    """SMALL-REWARD-1"""
    three = "turn: 1\nseat 0: objective O5\nseat 1: objective O2\nseat 2: objective O3"
    state = do(position(f"{ISLANDS}\n{three}", seats=3), land("10,5"))
    order = [GAME.to_act(state)[0]]
    while state.round == 1:
        state, events = happens(state, STOP_BUILDING)
        order += [event.seat for event in events if isinstance(event, ObjectiveRevealed)]
    assert order == [1, 2, 0]


def test_others_wait_while_a_seat_places_houses() -> None:
    """SMALL-REWARD-1"""
    assert refused(landed(FLAT), house("4,4"), actor=1) == "SMALL-REWARD-1"
    assert refused(landed(FLAT), take("L01")) == "SMALL-REWARD-1"


def test_a_seat_that_can_place_no_house_is_done_at_once() -> None:
    """SMALL-REWARD-1"""
    _, events = happens(position(f"{ISLANDS}\nseat 0: objective O7\n"), land("10,5", grey=True))
    assert BuildingEnded(0, True, 0) in events


def test_a_seat_has_one_house_on_an_island() -> None:
    """SMALL-REWARD-2"""
    state = do(landed(FLAT), house("4,4"))
    assert choices(state) == (house("6,4"), house("6,5"), STOP_BUILDING)
    assert refused(state, house("4,5")) == "SMALL-REWARD-2"


def test_a_house_of_an_earlier_round_counts_as_well() -> None:
    """SMALL-REWARD-2"""
    assert refused(landed(f"{FLAT}\nhouse: 0 4,4"), house("4,5")) == "SMALL-REWARD-2"


def test_different_seats_share_an_island_but_not_a_symbol() -> None:
    """SMALL-REWARD-2"""
    state = landed(f"{FLAT}\nhouse: 1 4,4")
    assert house("4,5") in choices(state)
    assert refused(state, house("4,4")) == "SMALL-REWARD-2"


def test_an_island_of_one_tile_gets_no_house() -> None:
    """SMALL-REWARD-2"""
    state = landed("seat 0: objective O1\nseat 1: objective O5", "L06/2 . . . L01/2 . L55\nL42 . . . . . .")
    assert house("4,4") in choices(state)
    assert refused(state, house("8,4")) == "SMALL-REWARD-2"


def test_a_house_needs_a_symbol_on_the_tile() -> None:
    """SMALL-REWARD-2"""
    state = landed(FLAT, "L24/2 . . . . . L55\nL26 . . . . . .")
    assert refused(state, house("4,5")) == "SMALL-REWARD-2"
    assert refused(state, house("9,9")) == "SMALL-REWARD-2"


def test_houses_at_hand_are_all_that_can_be_placed_in_a_round() -> None:
    """SMALL-REWARD-2"""
    state = do(landed(f"{FLAT}\nseat 0: objective O5 | at hand 2"), house("4,4"))
    assert house("6,4") in choices(state)
    state = landed(f"{FLAT}\nseat 0: objective O5 | at hand 1")
    _, events = happens(state, house("4,4"))
    assert BuildingEnded(0, True, 4) in events
    none_left = landed(f"{FLAT}\nhouse: 0 9,9 9,10 9,11 9,12\nseat 0: objective O5 | at hand 1")
    assert refused(do_without_houses(none_left), house("4,4")) == "SMALL-REWARD-2"


def do_without_houses(state: State) -> State:
    """Return the position with no house at hand: the rules end a seat's turn before that can be seen."""
    return replace(state, seats=with_seat(state, 0, replace(state.seats[0], at_hand=0)))


def test_an_island_that_has_grown_together_may_have_two_houses_of_one_seat_but_no_third() -> None:
    """SMALL-REWARD-3"""
    state = landed(f"{FLAT}\nhouse: 0 4,4 5,4", "L24/2 L25/2 . L47/2 . . L55\nL27 L42 . L07 . . .")
    assert [island.houses for island in GAME.view(state, None).islands] == [(2, 0), (0, 0)]
    assert choices(state) == (house("7,4"), house("7,5"), STOP_BUILDING)
    assert refused(state, house("4,5")) == "SMALL-REWARD-3"


def test_houses_are_refilled_to_four_at_hand() -> None:
    """SMALL-REWARD-4"""
    state = do(landed(FLAT), house("4,4"), house("6,4"))
    view = GAME.view(state, None).seats[0]
    assert (view.houses_at_hand, view.houses_left, len(view.houses)) == (4, 2, 2)


def test_the_reserve_of_houses_runs_out_so_there_are_eight_in_the_game() -> None:
    """SMALL-REWARD-4"""
    state = landed(f"{FLAT}\nhouse: 0 9,9 9,10 9,11 9,12 9,13\nseat 0: objective O5 | at hand 2")
    state, events = happens(do(state, house("4,4")), house("6,4"))
    assert BuildingEnded(0, True, 1) in events
    view = GAME.view(state, None).seats[0]
    assert (view.houses_at_hand, view.houses_left, len(view.houses)) == (1, 0, 7)


def test_what_is_under_a_house_counts() -> None:
    """SMALL-REWARD-5"""
    island = landed(f"{FLAT}\nhouse: 1 4,4").table.chart.island_at(cell("4,4"))
    assert island is not None
    assert island.counts[Symbol.FRUIT] == 3


def test_what_is_under_a_token_does_not_count_but_the_token_does() -> None:
    """SMALL-REWARD-5: a flower on the only fruit of the island with the temple."""
    state = landed(f"{FLAT}\ntoken: 1 flower 6,4")
    assert choices(state) == (house("4,4"), house("4,5"), STOP_BUILDING)
    assert refused(state, house("6,4")) == "SMALL-REWARD-1"


def test_after_the_last_seat_cards_are_shuffled_back_and_the_next_seat_begins_the_round() -> None:
    """SMALL-ROUND-1: seat 1 has landed, so with three seats seat 2 begins."""
    three = "turn: 1\nreserve: 20\nseat 0: objective O7\nseat 1: objective O8\nseat 2: objective O10"
    state, events = happens(position(f"{ISLANDS}\n{three}", seats=3), land("10,5"))
    assert events[-2:] == (CardsShuffled(), RoundBegun(2, 2, 14))
    (deck,) = state.decks
    assert [len(cards) for cards in deck.cards] == [1, 1, 1]
    assert len(deck.pile) == 9
    assert {card("O7"), card("O8"), card("O10")} <= set(deck.pile)
    assert state.phase is Phase.DEAL_CARDS


def test_in_the_advanced_mode_mission_and_reward_are_revealed_together() -> None:
    """SMALL-REWARD-1"""
    state = position(f"{ISLANDS}\nseat 0: objective M3 W8\nseat 1: objective M7 W1", mode=Mode.ADVANCED)
    state, events = happens(state, land("10,5", grey=True))
    assert events[1] == ObjectiveRevealed(0, (card("M3"), card("W8")))
    assert GAME.scores(do(state, house("4,4"))) == (6, 0)
