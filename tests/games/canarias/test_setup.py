from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from skerry_games.api import CHANCE, CHANCE_ACTS, BadOptions, MalformedMove
from skerry_games.canarias import GAME
from skerry_games.canarias.events import CardDrawn, IslandTaken, ShipBegun, StartSeatSet, TurnBegun
from skerry_games.canarias.moves import (
    BUILD,
    DEAL_CARD,
    DEAL_ISLAND,
    DRAW,
    TAKE_ISLAND,
    TURN_UP,
    DealCard,
    DrawStartSeat,
    StartShip,
    TakeIsland,
)
from skerry_games.canarias.printed.cards import CARD_IDS, FIRST_PIRATE, HOUSE_COLOUR
from skerry_games.canarias.printed.islands import ISLANDS
from skerry_games.canarias.state import DeckOption, IslandOption, Options, Phase, State
from skerry_games.rng import SeededRng
from tests.games.canarias.acting import choices, do, happens, refused
from tests.games.canarias.drawing import card


def beginning(seats: int = 2, **options: Any) -> State:
    return GAME.setup(Options(**options), seats)


def with_islands(seats: int = 2) -> State:
    return do(beginning(seats, start_seat=0), *(TAKE_ISLAND[number] for number in range(seats)))


def with_hands(seats: int = 2) -> State:
    return do(with_islands(seats), *(DEAL_CARD[number // 5][number] for number in range(5 * seats)))


@pytest.mark.parametrize("seats", [1, 6])
def test_one_or_six_seats_are_refused(seats: int) -> None:
    """CANARIAS-SETUP-1"""
    with pytest.raises(BadOptions, match="CANARIAS-SETUP-1") as refusal:
        beginning(seats)
    assert refusal.value.field == "seats"


@pytest.mark.parametrize(("field", "value"), [("start_seat", -1), ("start_seat", 2), ("islands", 0), ("deck", 3)])
def test_options_that_do_not_exist_are_refused_by_name(field: str, value: int) -> None:
    with pytest.raises(BadOptions) as refusal:
        beginning(2, **{field: value})
    assert refusal.value.field == field


def test_a_choice_is_refused_in_a_way_that_helps() -> None:
    with pytest.raises(BadOptions, match=r"Choose 1 \(choose\) or 2 \(deal\), not 'deal'\."):
        beginning(2, islands="deal")


def test_the_supply_has_eight_houses_six_palaces_and_two_towns_of_each_colour() -> None:
    """CANARIAS-SETUP-1"""
    view = GAME.view(beginning(5), None)
    assert (view.houses_left, view.palaces_left, view.towns_left) == ((8,) * 6, (6,) * 6, (2,) * 6)
    assert sum(view.houses_left) == 48


def test_the_deck_has_nine_settlers_and_a_pirate_of_each_colour_and_privileges_have_no_owner() -> None:
    """CANARIAS-SETUP-2"""
    state = beginning()
    assert Counter(HOUSE_COLOUR[number] for number in state.deck if number < FIRST_PIRATE) == dict.fromkeys(range(6), 9)
    assert state.deck[FIRST_PIRATE:] == tuple(range(FIRST_PIRATE, FIRST_PIRATE + 6))
    assert state.privileges == (-1,) * 6


def test_the_deck_of_triples_has_eighteen_settlers_three_times() -> None:
    """CANARIAS-SETUP-2"""
    counts = Counter(CARD_IDS[number] for number in beginning(deck=DeckOption.TRIPLES).deck)
    assert counts["segador-a"] == 3
    assert counts["segador-b"] == 0
    assert (len(counts), sum(counts.values())) == (18 + 6, 60)


def test_each_seat_takes_an_island_from_the_start_seat_clockwise() -> None:
    """CANARIAS-SETUP-3"""
    state = beginning(3, start_seat=1)
    for seat, island in ((1, 5), (2, 0), (0, 3)):
        assert GAME.to_act(state) == (seat,)
        state, events = happens(state, TAKE_ISLAND[island])
        assert events == (IslandTaken(seat, island, dealt=False),)
    assert [seat.island for seat in state.seats] == [3, 5, 0]
    assert GAME.to_act(state) == CHANCE_ACTS


def test_an_island_is_taken_once() -> None:
    """CANARIAS-SETUP-3"""
    state = do(beginning(3, start_seat=1), TAKE_ISLAND[5])
    assert TAKE_ISLAND[5] not in choices(state)
    assert refused(state, TAKE_ISLAND[5]) == "CANARIAS-SETUP-3"
    assert refused(with_hands(), TAKE_ISLAND[3], actor=CHANCE) == "CANARIAS-SETUP-3"
    with pytest.raises(MalformedMove):
        GAME.apply(state, 2, TakeIsland(6))


def test_islands_can_be_dealt() -> None:
    """CANARIAS-SETUP-3"""
    state = beginning(2, start_seat=1, islands=IslandOption.DEAL)
    assert choices(state) == DEAL_ISLAND
    state, events = happens(state, DEAL_ISLAND[2])
    assert events == (IslandTaken(1, 2, dealt=True),)
    assert len(choices(state)) == 5
    assert do(state, DEAL_ISLAND[0]).phase is Phase.DRAW_CARD


def test_the_start_seat_is_drawn_unless_the_options_name_it() -> None:
    """CANARIAS-SETUP-3"""
    state = beginning(3)
    assert choices(state) == (DrawStartSeat(0), DrawStartSeat(1), DrawStartSeat(2))
    assert GAME.view(state, None).start_seat is None
    state, events = happens(state, DrawStartSeat(2))
    assert events == (StartSeatSet(2),)
    assert state == beginning(3, start_seat=2)
    with pytest.raises(MalformedMove):
        GAME.apply(beginning(), CHANCE, DrawStartSeat(2))


def test_each_seat_draws_five_cards_and_the_next_begins_the_ship_unseen() -> None:
    """CANARIAS-SETUP-4"""
    state = with_islands(2)
    assert len(choices(state)) == 60
    for seat in (0, 1):
        for number in range(5):
            state, (event, *_) = happens(state, DEAL_CARD[seat][10 * seat + number])
            assert event == CardDrawn(seat, 10 * seat + number)
    assert [len(seat.hand) for seat in state.seats] == [5, 5]
    state, events = happens(state, StartShip(card("monje-a")))
    assert events == (ShipBegun(), TurnBegun(1, 0))
    assert GAME.view(state, 0).ship == 1
    assert GAME.to_act(state) == (0,)


def test_a_card_is_drawn_once() -> None:
    """CANARIAS-SETUP-4, CANARIAS-TURN-1"""
    state = with_hands()
    assert refused(state, StartShip(0)) == "CANARIAS-SETUP-4"
    assert refused(with_islands(), StartShip(0)) == "CANARIAS-SETUP-4"
    assert refused(do(with_islands(), DealCard(0, 0)), DealCard(0, 0)) == "CANARIAS-TURN-1"
    assert refused(with_islands(), DealCard(1, 0)) == "CANARIAS-TURN-1"
    for stranger in (DealCard(0, 60), DealCard(0, -1), DealCard(0)):
        with pytest.raises(MalformedMove):
            GAME.apply(with_islands(), CHANCE, stranger)
    with pytest.raises(MalformedMove):
        GAME.apply(state, CHANCE, StartShip(60))
    with pytest.raises(MalformedMove):
        GAME.apply(state, CHANCE, StartShip())


def test_village_and_farmland_are_not_built_on() -> None:
    """CANARIAS-SETUP-5"""
    state = with_islands(5)
    for seat, island in zip(state.seats, ISLANDS, strict=False):
        assert seat.free.bit_count() == 12
        assert not any(seat.free >> square & 1 for square in (*island.village, *island.farmland))


def test_no_seat_acts_while_chance_acts() -> None:
    """CANARIAS-TURN-1"""
    assert refused(with_islands(), DRAW, actor=0) == "CANARIAS-TURN-1"
    assert refused(with_hands(), BUILD[0], actor=CHANCE) == "CANARIAS-TURN-1"
    assert refused(with_hands(), TURN_UP[0], actor=CHANCE) == "CANARIAS-ARRIVE-1"


def test_chance_is_drawn_only_when_it_acts() -> None:
    with pytest.raises(ValueError, match="chance is not to act"):
        GAME.draw(beginning(start_seat=0), SeededRng(bytes(32), 0))
    for state in (beginning(), beginning(start_seat=0, islands=IslandOption.DEAL), with_islands(), with_hands()):
        assert GAME.draw(state, SeededRng(bytes(32), 0)) in choices(state)
