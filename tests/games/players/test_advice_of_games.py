"""The advice of each game, in positions where a beginner can check it."""

from __future__ import annotations

from random import Random
from typing import Any

from msgspec.structs import replace

from skerry_games.canarias import advice as canarias
from skerry_games.canarias.actions.ship_arrival import choose_island
from skerry_games.kreta import advice as kreta
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.province_sets import FORT_PROVINCES, SET_OF
from skerry_games.position import start
from skerry_games.rng import Dice
from skerry_games.small_islands import advice as small_islands
from skerry_games.small_islands.moves import PlaceHouse
from skerry_games.tenerife import advice as tenerife
from skerry_games.tenerife.state import Character, CharacterCard
from tests.games.conformance.play import play


def first(game: str, seats: int) -> Any:
    """Return the first state in which a seat is to act."""
    return start(game, seats, rng=Dice(Random(1))).state


def test_kreta_be_where_the_castellan_scores_next() -> None:
    state = first("kreta", 2)
    next_one = BOARD.forts[state.row[0] - 1].provinces[0]
    one, other = state.row
    open_ones = FORT_PROVINCES[one] | FORT_PROVINCES[other]
    elsewhere = next(
        number
        for number, province in enumerate(BOARD.provinces)
        if province.value == BOARD.provinces[next_one].value and not open_ones & SET_OF[number]
    )

    def with_villager_in(province: int) -> float:
        seats = (replace(state.seats[0], villagers=SET_OF[province]), state.seats[1])
        return kreta.worth(replace(state, seats=seats))[0]

    assert with_villager_in(next_one) > with_villager_in(elsewhere) > kreta.worth(state)[0]


def test_kreta_keep_cards_and_harvest() -> None:
    state = first("kreta", 2)
    fewer = replace(state.seats[0], hand=state.seats[0].hand & ~(1 << 7))
    more = replace(state.seats[0], harvested=(1, 0, 0, 0, 0))
    poor, rich = (kreta.worth(replace(state, seats=(seat, state.seats[1]))) for seat in (fewer, more))
    assert poor[0] < kreta.worth(state)[0] < rich[0]


def test_canarias_load_who_will_choose_your_island() -> None:
    state = next(state for state in play(start("canarias").game, 3, 1).states if state.round == 2)
    for card in range(54):
        shipped = canarias.worth(replace(state, ship=((card, 0),)))
        empty = canarias.worth(replace(state, ship=()))
        gains = [round(after - before, 6) for after, before in zip(shipped, empty, strict=True)]
        winner = choose_island(state, card).winner
        assert gains == [canarias.SETTLER if seat == winner else 0.0 for seat in range(3)]


def column(*laid: tuple[int, CharacterCard]) -> Any:
    """Return a state at a table of two in which these cards of these owners lie below the first spaces."""
    state = first("tenerife", 2)
    owners = [owner for owner, _ in laid]
    vacant = len(state.cards) - len(laid)
    return replace(
        state,
        owners=(*owners, *(-1,) * vacant),
        cards=(*(card for _, card in laid), *(None,) * vacant),
    )


def test_tenerife_thieves_take_what_a_mason_of_somebody_else_would_have_brought() -> None:
    mason, thieves, farmer = CharacterCard.MASON, CharacterCard.THIEVES, CharacterCard.FARMER
    alone = tenerife.worth(column((0, mason)))
    assert alone == (tenerife.EXPOSED * tenerife.MANSION, 0.0)
    assert tenerife.worth(column((0, mason), (1, thieves))) == (0.0, tenerife.LOOT)
    assert tenerife.worth(column((0, mason), (1, thieves), (0, thieves))) == (tenerife.MANSION, 0.0)
    assert tenerife.worth(column((0, mason), (1, farmer)))[0] == tenerife.MANSION
    assert tenerife.robber_of(column((0, mason), (1, thieves)), 0) == 1


def test_tenerife_transport_is_for_those_in_front() -> None:
    state = column((0, CharacterCard.MERCHANT), (1, CharacterCard.MERCHANT), (0, CharacterCard.MERCHANT))
    mansions = tuple((0, 1) if town == state.place else () for town in range(len(state.towns)))
    assert tenerife._gain(replace(state, towns=mansions), 0, Character.MERCHANT) == 1.0
    points = tenerife.worth(replace(state, towns=mansions, transport_spaces=2))
    assert points == (1.0, 1.0)


def test_tenerife_is_judged_when_the_characters_have_acted() -> None:
    assert tenerife.settled(first("tenerife", 2))
    assert not tenerife.settled(column((0, CharacterCard.FARMER)))


def test_small_islands_islands_for_your_objective_are_worth_what_they_pay() -> None:
    game = start("small_islands").game
    building = [
        state
        for seed in range(4)
        for state in play(game, 2, seed).states
        if any(isinstance(move, PlaceHouse) for seat in range(2) for move in game.legal_moves(state, seat))
    ]
    gains = []
    for state in building:
        seats = tuple(replace(seat, at_hand=0) for seat in state.seats)
        with_houses, without = (small_islands.worth(each)[state.turn] for each in (state, replace(state, seats=seats)))
        gains.append(with_houses - without)
    assert min(gains) >= 0.0  # a house may pay nothing
    assert max(gains) > 2.0
