from __future__ import annotations

from collections import Counter

import pytest

from skerry_games.api import CHANCE, CHANCE_ACTS, BadOptions, MalformedMove
from skerry_games.kreta import GAME
from skerry_games.kreta.chance import HILL_DEALS, MOUNTAIN_DEALS
from skerry_games.kreta.events import FortTurnedUp, StartSeatSet, TilesDealt
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.moves import DealHills, DrawStartSeat, PlayCard, TurnUpFort
from skerry_games.kreta.state import KretaCard, Options, Phase, State, Tile
from skerry_games.rng import SeededRng
from tests.games.kreta.acting import choices, do, happens, refused

DEALS = (HILL_DEALS[0], MOUNTAIN_DEALS[0])
CARDS = (TurnUpFort(2), TurnUpFort(14))


def beginning(seats: int = 2, start_seat: int | None = None) -> State:
    return GAME.setup(Options(start_seat=start_seat), seats)


@pytest.mark.parametrize("seats", [1, 5])
def test_one_or_five_seats_are_refused(seats: int) -> None:
    """KRETA-SETUP-1"""
    with pytest.raises(BadOptions, match="KRETA-SETUP-1") as refusal:
        beginning(seats)
    assert refusal.value.field == "seats"


@pytest.mark.parametrize("start_seat", [-1, 2])
def test_a_start_seat_outside_the_table_is_refused(start_seat: int) -> None:
    with pytest.raises(BadOptions) as refusal:
        beginning(2, start_seat)
    assert refusal.value.field == "start_seat"


def test_each_seat_begins_with_all_pieces_in_its_supply_and_no_points() -> None:
    """KRETA-SETUP-2"""
    for seat in GAME.view(beginning(4), None).seats:
        supply = seat.supply
        assert (supply.ships, supply.forts, supply.villages, supply.villagers, supply.abbots) == (2, 3, 4, 5, 1)
        assert seat.score == 0


def test_each_seat_holds_seven_cards_that_everybody_sees() -> None:
    """KRETA-SETUP-3"""
    for seat in GAME.view(beginning(3), None).seats:
        assert seat.hand == (
            KretaCard.KING,
            KretaCard.ARCHITECT,
            KretaCard.ADMIRAL,
            KretaCard.COMMANDER,
            KretaCard.CASTELLAN,
            KretaCard.ABBOT,
            KretaCard.FARMER,
        )
        assert seat.table == ()


def test_each_terrain_gets_its_own_tiles() -> None:
    """KRETA-SETUP-4"""
    state = do(beginning(), *DEALS)
    dealt = Counter(
        (BOARD.provinces[number].terrain.name, province.tile)
        for number, province in enumerate(GAME.view(state, None).provinces)
    )
    assert dealt == {
        ("PLAIN", Tile.WHEAT): 2,
        ("HILL", Tile.OLIVE): 4,
        ("HILL", Tile.WINE): 4,
        ("MOUNTAIN", Tile.THYME): 3,
        ("MOUNTAIN", Tile.CHEESE): 3,
    }


def test_there_are_70_deals_of_the_hills_and_20_of_the_mountains() -> None:
    """KRETA-SETUP-4"""
    state = beginning()
    assert len(set(choices(state))) == 70
    state, (events,) = happens(state, DEALS[0])
    assert isinstance(events, TilesDealt)
    assert len(events.tiles) == 10, "the wheat is dealt with the hills"
    assert len(set(choices(state))) == 20


def test_other_numbers_of_tiles_are_not_dealt() -> None:
    """KRETA-SETUP-4"""
    assert refused(beginning(), DealHills((Tile.OLIVE,) * 8)) == "KRETA-SETUP-4"
    assert refused(beginning(), DealHills((Tile.OLIVE, Tile.WINE))) == "KRETA-SETUP-4"
    assert refused(do(beginning(), DEALS[0]), DEALS[0]) == "KRETA-SETUP-4"


def test_two_fort_cards_are_turned_up_and_nine_lie_face_down_beside_a_pile_of_15() -> None:
    """KRETA-SETUP-5"""
    state = do(beginning(), *DEALS)
    assert len(choices(state)) == 26
    state, events = happens(state, CARDS[0])
    assert events == (FortTurnedUp(2, replacement=False),)
    assert refused(state, CARDS[0]) == "KRETA-SETUP-5"
    view = GAME.view(do(state, CARDS[1]), None)
    assert (view.fort_row, view.face_down, view.pile) == ((2, 14), 9, 15)


def test_a_fort_card_is_turned_up_only_by_chance() -> None:
    """KRETA-SETUP-5"""
    state = do(beginning(2, 0), *DEALS, *CARDS)
    assert refused(state, TurnUpFort(3)) == "KRETA-SETUP-5"


def test_what_lies_face_down_is_not_in_the_state() -> None:
    """KRETA-SETUP-5: chance draws a card when it is turned up, so a redeal has nothing to change."""
    state = do(beginning(), *DEALS, *CARDS)
    assert GAME.redeal(state, 0, SeededRng(bytes(32), 0)) is state
    assert all(GAME.show(event, 1) == event for event in happens(state, DrawStartSeat(1))[1])


def test_the_start_seat_is_drawn() -> None:
    state = do(beginning(3), *DEALS, *CARDS)
    assert GAME.view(state, None).acting_seat is None
    assert choices(state) == (DrawStartSeat(0), DrawStartSeat(1), DrawStartSeat(2))
    state, events = happens(state, DrawStartSeat(2))
    assert events == (StartSeatSet(2),)
    assert GAME.to_act(state) == (2,)


def test_a_start_seat_that_the_options_name_is_not_drawn() -> None:
    state = do(beginning(3, 1), *DEALS, CARDS[0])
    state, events = happens(state, CARDS[1])
    assert events == (FortTurnedUp(14, replacement=False), StartSeatSet(1))
    assert GAME.to_act(state) == (1,)


def test_nobody_acts_while_chance_does() -> None:
    """KRETA-TURN-1"""
    state = beginning(2, 0)
    assert GAME.to_act(state) == CHANCE_ACTS
    assert refused(state, PlayCard(KretaCard.CASTELLAN), actor=0) == "KRETA-TURN-1"
    assert refused(state, PlayCard(KretaCard.CASTELLAN), actor=CHANCE) == "KRETA-TURN-1"


def test_seats_and_fort_cards_that_do_not_exist_are_no_move() -> None:
    state = do(beginning(), *DEALS)
    with pytest.raises(MalformedMove):
        GAME.apply(state, CHANCE, TurnUpFort(27))
    with pytest.raises(MalformedMove):
        GAME.apply(do(state, *CARDS), CHANCE, DrawStartSeat(2))


def test_chance_is_drawn_only_when_it_acts() -> None:
    state = do(beginning(2, 0), *DEALS, *CARDS)
    assert state.phase is Phase.PLAY_CARD
    with pytest.raises(ValueError, match="chance is not to act"):
        GAME.draw(state, SeededRng(bytes(32), 0))
