from __future__ import annotations

import pytest
from msgspec.structs import replace

from skerry_games.small_islands import GAME
from skerry_games.small_islands.events import (
    BonusScored,
    CardsShuffled,
    GameEnded,
    LastRewardBegun,
    ObjectiveRevealed,
    SecretsShown,
)
from skerry_games.small_islands.moves import NO_TOKEN, LandShip
from skerry_games.small_islands.phases.ending import finish, ports_around, ranks
from skerry_games.small_islands.state import (
    Discovery,
    End,
    Layout,
    Options,
    Phase,
    SeatState,
    State,
    with_seat,
)
from tests.games.small_islands.acting import (
    choices,
    do,
    explore,
    happens,
    house,
    land,
    lay,
    pick,
    put,
    refused,
    take,
    token,
)
from tests.games.small_islands.drawing import cell, position
from tests.games.small_islands.random_games import states

NOTHING_TO_BUILD = "seat 0: objective O7\nseat 1: objective O8\nseat 2: objective O9"
TWO_SEATS = "seat 0: objective O7\nseat 1: objective O8"


def test_without_six_tiles_in_the_reserve_there_is_no_further_round() -> None:
    """SMALL-END-1: no further reward phase follows."""
    state, events = happens(position(f"L55\n{TWO_SEATS}\nreserve: 5"), land("4,5"))
    assert isinstance(events[-1], GameEnded) and events[-1].end is End.RESERVE
    assert GAME.to_act(state) == ()
    outcome = GAME.outcome(state)
    assert outcome is not None and outcome.reason.startswith("SMALL-END-1")


def test_when_no_round_follows_the_cards_put_aside_are_shown_and_all_others_are_shuffled_back() -> None:
    """SMALL-END-1, SMALL-PREP-2"""
    state = position(f"L55\n{TWO_SEATS}\nreserve: 5\n")
    mine = [GAME.view(state, seat).seats[seat] for seat in (0, 1)]
    over, events = happens(state, land("4,5"))
    for seat in (0, 1):
        assert SecretsShown(seat, mine[seat].hand, mine[seat].aside, ()) in events
        for viewer in (0, 1, None):
            seen = GAME.view(over, viewer).seats[seat]
            assert (seen.hand, seen.aside) == (mine[seat].hand, mine[seat].aside)
            assert (seen.cards, seen.objective, seen.returned, seen.has_chosen) == ((), (), (), False)


def test_after_the_last_reward_phase_hands_and_the_cards_of_the_round_are_shown() -> None:
    """SMALL-END-3, SMALL-PREP-2"""
    state = position(f"~1 ~grey ~grey L55\nreserve: 20\n{TWO_SEATS}")
    mine = [GAME.view(state, seat).seats[seat] for seat in (0, 1)]
    over, events = happens(state, land("7,5"))
    for seat in (0, 1):
        assert SecretsShown(seat, mine[seat].hand, mine[seat].aside, mine[seat].returned) in events
        for viewer in (0, 1, None):
            seen = GAME.view(over, viewer).seats[seat]
            assert (seen.objective, seen.aside, seen.returned, seen.hand) == (
                mine[seat].objective,
                mine[seat].aside,
                mine[seat].returned,
                mine[seat].hand,
            )


def test_six_tiles_in_the_reserve_are_enough() -> None:
    """SMALL-END-1, SMALL-PREP-1"""
    state = do(position(f"L55\n{TWO_SEATS}\nreserve: 6"), land("4,5"))
    assert state.phase is Phase.DEAL_CARDS
    assert (GAME.view(state, None).navigation_stack, GAME.view(state, None).reserve) == (6, 0)


ENCLOSED = """
    L17 .
    turn: 0
    display: L18
    reserve: 0
    seat 0: hand L35 L36 | left | objective O5
    seat 1: hand L53 L54 | objective O2
"""
"""Land on all sides: no ship can be placed. After the only tile of the display there is nothing left to take."""


def test_with_an_empty_display_and_no_ship_to_place_a_last_reward_phase_begins_with_that_seat() -> None:
    """SMALL-END-2: and then the game is over, whatever the number of ships."""
    state = do(position(ENCLOSED), take("L18"), pick("L18"))
    state, events = happens(state, lay("5,4"))
    assert LastRewardBegun(1) in events
    assert [event.seat for event in events if isinstance(event, ObjectiveRevealed)] == [1, 0]
    assert CardsShuffled() not in events
    assert state.phase is Phase.OVER


def test_the_last_reward_phase_goes_round_and_ends_the_game() -> None:
    """SMALL-END-2"""
    text = ENCLOSED.replace("L17 .", "L36").replace("L35 L36", "L35 L17")
    state = do(position(text), take("L18"), pick("L18"), lay("5,4"))
    assert (state.phase, state.turn, state.end) == (Phase.PLACE_HOUSES, 1, End.STUCK)
    assert GAME.view(state, None).end is End.STUCK
    state = do(state, house("5,4"))
    assert GAME.to_act(state) == ()
    outcome = GAME.outcome(state)
    assert outcome is not None and outcome.reason.startswith("SMALL-END-2")


def test_with_an_empty_display_and_a_ship_to_place_landing_is_the_only_choice() -> None:
    """SMALL-END-2"""
    state = do(position("L55\nreserve: 0\ndisplay: L01"), *explore("L01", "5,4", 1))
    assert GAME.to_act(state) == (1,)
    assert {type(move) for move in choices(state)} == {LandShip}


def test_the_game_is_over_after_the_reward_phase_in_which_all_ships_are_placed() -> None:
    """SMALL-END-3"""
    state, events = happens(position(f"~1 ~grey ~grey L55\nreserve: 20\n{TWO_SEATS}"), land("7,5"))
    assert isinstance(events[-1], GameEnded) and events[-1].end is End.SHIPS
    outcome = GAME.outcome(state)
    assert outcome is not None and outcome.reason.startswith("SMALL-END-3")


def test_three_ships_do_not_end_the_game() -> None:
    """SMALL-END-3"""
    state = do(position(f"~1 ~grey L55\nreserve: 20\n{TWO_SEATS}"), land("6,5"))
    assert state.phase is Phase.DEAL_CARDS


def test_nobody_acts_in_a_game_that_is_over() -> None:
    """SMALL-END-3"""
    state = do(position(f"~1 ~grey ~grey L55\nreserve: 20\n{TWO_SEATS}"), land("7,5"))
    assert refused(state, NO_TOKEN, actor=0) == "SMALL-END-3"


def test_a_move_in_a_game_that_is_over_is_refused_with_the_rule_that_ended_it() -> None:
    """SMALL-END-1, SMALL-END-2"""
    short = do(position(f"L55\n{TWO_SEATS}\nreserve: 5"), land("4,5"))
    assert refused(short, NO_TOKEN, actor=0) == "SMALL-END-1"
    stuck = do(position(ENCLOSED), take("L18"), pick("L18"), lay("5,4"))
    assert refused(stuck, NO_TOKEN, actor=0) == "SMALL-END-2"


PORTS = """
    L05/0 L03/1 .     .
    ~0    L55   L56   .
    ~grey .     .     .
"""
"""Around the ship of seat 0 at (4, 5): the ports of L05, L03; around the grey ship none but those."""


def test_each_port_around_the_own_ship_gives_a_point_in_the_end() -> None:
    """SMALL-SCORE-1: L05 above and L03 beside that have a port each."""
    state = position(f"{PORTS}\n{TWO_SEATS}\nreserve: 3")
    assert ports_around(state, 0) == 2
    state, events = happens(state, land("6,6", grey=True))
    assert BonusScored(0, (), 2, 2) in events
    assert GAME.scores(state) == (2, 0)


def test_grey_ships_give_nothing_and_who_has_no_ship_gets_nothing() -> None:
    """SMALL-SCORE-1"""
    state = position(PORTS.replace("~0", "~grey"))
    assert [ports_around(state, seat) for seat in (0, 1)] == [0, 0]


def test_a_port_token_counts_as_well_and_one_laid_after_the_ship() -> None:
    """SMALL-SCORE-1"""
    state = position(f"{PORTS}\ndisplay: L41\nreserve: 0")
    state = do(state, take("L41"), pick("L41"), lay("5,6", 2), token("leaf", "port"), put("4,4"))
    assert ports_around(state, 0) == 4, "a second one on L05, and that of L41 at the diagonal"


def test_discovery_tokens_are_shown_and_added_in_the_end() -> None:
    """SMALL-SCORE-1"""
    state = position(f"L55\n{TWO_SEATS}\nreserve: 5")
    state = replace(state, discoveries=(Discovery(1, (3, 8), 8), Discovery(1, (5,), 5), Discovery(0, (4,), 4)))
    assert GAME.view(state, 0).seats[1].discoveries == ()
    state, events = happens(state, land("4,5"))
    assert BonusScored(1, (8, 5), 0, 13) in events
    assert GAME.scores(state) == (4, 13)
    assert GAME.view(state, None).seats[1].discoveries == (8, 5)


def tied(**changes: tuple[object, ...]) -> State:
    """Return a finished state of three seats in which all tie, but for the given fields of their seats."""
    state = position(f"{PORTS.replace('~0', '~grey')}\n{NOTHING_TO_BUILD}", seats=3)
    for seat in range(3):
        mine = {name: values[seat] for name, values in changes.items()}
        state = replace(state, seats=with_seat(state, seat, replace(SeatState(score=7, laid=seat + 1), **mine)))
    return replace(state, phase=Phase.OVER, end=End.SHIPS)


def test_most_points_win() -> None:
    """SMALL-TIE-1"""
    assert ranks(tied(score=(7, 9, 8))) == (3, 1, 2)


def test_who_ties_is_ranked_by_houses_placed() -> None:
    """SMALL-TIE-1"""
    assert ranks(tied(houses=((1, 2), (1, 2, 3), (1,)))) == (2, 1, 3)
    ships = (cell("6,6"), cell("4,6"), cell("4,5"))
    assert ranks(tied(houses=((1, 2), (1, 2, 3), (1,)), ship=ships)) == (2, 1, 3), "whatever the ports"


def test_then_by_ports_around_the_own_ship() -> None:
    """SMALL-TIE-1"""
    assert ranks(tied(ship=(cell("6,6"), cell("4,6"), cell("4,5")))) == (3, 2, 1)


@pytest.mark.parametrize(("laid", "ranked"), [((5, 6, 7), (3, 2, 1)), ((9, 5, 8), (1, 3, 2)), ((6, 7, 0), (2, 1, 3))])
def test_then_by_who_of_the_tied_laid_a_tile_last(laid: tuple[int, ...], ranked: tuple[int, ...]) -> None:
    """SMALL-TIE-1: a seat that has laid nothing comes last."""
    assert ranks(tied(laid=laid)) == ranked


NOTHING_FITS_SEAT_1 = """
    ~grey L55
    L56   .
    display: L01 L35 L53
    reserve: 0
    seat 0: objective O7
    seat 1: hand L17 L18 | objective O8
    seat 2: objective O9
"""
"""Only sea is laid, and seat 1 has nothing but land."""


def test_the_order_of_turns_does_not_matter_when_a_seat_s_latest_turns_laid_nothing() -> None:
    """SMALL-TIE-1, SMALL-EXPLORE-3: seat 1 sits before seat 2, which lands, but has shown its hand."""
    state = do(position(NOTHING_FITS_SEAT_1, seats=3), *explore("L01", "6,4", 1), take("L35"))
    assert GAME.to_act(state) == (2,), "seat 1 has shown its hand"
    state = do(state, land("3,4"))
    assert [seat.last_laid for seat in GAME.view(state, None).seats] == [4, None, 5]
    even = replace(state, seats=tuple(replace(seat, score=7, ship=-1, houses=()) for seat in state.seats))
    assert ranks(even) == (2, 3, 1)


def test_a_ship_is_a_last_tile_as_well() -> None:
    """SMALL-TIE-1"""
    state = do(position("L55 L56\nturn: 1\nreserve: 5"), land("4,5"))
    assert [seat.laid for seat in state.seats] == [0, 3]
    grey = do(position("L55 L56\nturn: 1\nreserve: 5"), land("4,5", grey=True))
    assert [seat.laid for seat in grey.seats] == [0, 3]


def test_a_start_tile_is_nobody_s_last_tile() -> None:
    """SMALL-TIE-1, SMALL-SETUP-4: the seat that lays them freely has laid nothing yet."""
    options = Options(start_layout=Layout.FREE, start_seat=1)
    begun = next(state for state in states(options, 2, 1) if len(state.table.tiles) == 4)
    assert [seat.last_laid for seat in GAME.view(begun, None).seats] == [None, None]


def test_seats_that_tie_in_everything_and_have_laid_nothing_share_the_rank() -> None:
    """SMALL-TIE-1"""
    assert ranks(tied(laid=(0, 0, 5))) == (2, 2, 1)
    assert ranks(tied(laid=(0, 0, 5), score=(7, 7, 6))) == (1, 1, 2)


def test_the_bonus_is_added_once() -> None:
    """SMALL-SCORE-1"""
    state, events = finish(position(PORTS), End.RESERVE)
    assert [event.points for event in events if isinstance(event, BonusScored)] == [2, 0]
    assert GAME.scores(state) == (2, 0)
