"""Invariants of every state of random games."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from msgspec import msgpack

from skerry_games.tenerife import GAME
from skerry_games.tenerife.events import CharacterLaid, RoundEnded
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import STORAGE, TOWNS, Phase, State, full_hand
from tests.games.tenerife.random_games import Table, states, steps, tables

MOST_BYTES = 250


@given(tables)
def test_apply_leaves_its_argument_as_it_was_and_the_state_survives_packing(table: Table) -> None:
    (seats, options), seed = table
    for state, actor, _, move in steps(seats, seed, options):
        before = msgpack.encode(state)
        GAME.apply(state, actor, move)
        assert msgpack.encode(state) == before
        assert msgpack.decode(before, type=State) == state
        assert msgpack.decode(msgpack.encode(move), type=GAME.move_type) == move


@given(tables)
def test_a_state_takes_few_bytes(table: Table) -> None:
    (seats, options), seed = table
    assert max(len(msgpack.encode(state)) for state in states(seats, seed, options)) <= MOST_BYTES


@given(tables)
def test_plots_and_storage_spaces_hold_no_more_than_they_have_room_for(table: Table) -> None:
    """TENERIFE-MASON-1, TENERIFE-FARMER-3"""
    (seats, options), seed = table
    for state in states(seats, seed, options):
        assert all(len(state.towns[town]) <= len(BOARD.places[town].plots) for town in TOWNS)
        assert all(len(state.storage[number - 1]) <= BOARD.storage[number - 1].room for number in STORAGE)
        assert all(0 <= seat.mansions <= 12 for seat in state.seats)
        room = len(state.storage[state.farmhand - 1]) < BOARD.storage[state.farmhand - 1].room
        assert room or all(len(owners) == 3 for owners in state.storage[3:]), "the farmhand waits without need"


@given(tables)
def test_hands_and_column_make_up_all_cards_of_a_seat(table: Table) -> None:
    """TENERIFE-ROUND-2, TENERIFE-TWO-2"""
    (seats, options), seed = table
    for state in states(seats, seed, options):
        for number, seat in enumerate(state.seats):
            laid = [card for owner, card in zip(state.owners, state.cards, strict=True) if owner == number and card]
            assert Counter([*seat.hand, *laid]) == Counter(full_hand(options.turbulent))
        assert state.vacant == sum(1 << space for space, card in enumerate(state.cards, start=1) if card is None)


@given(tables)
def test_events_name_every_character_in_ascending_order(table: Table) -> None:
    """TENERIFE-ROUND-4: also when owners have to decide in between."""
    (seats, options), seed = table
    spaces: list[int] = []
    for state, actor, _, move in steps(seats, seed, options):
        for event in GAME.apply(state, actor, move)[1]:
            if isinstance(event, RoundEnded):
                assert spaces == sorted(spaces)
                assert {*spaces} == {*range(1, len(state.cards) + 1)}
                spaces = []
            elif hasattr(event, "space") and not isinstance(event, CharacterLaid):
                spaces.append(event.space)
    assert spaces == []


@given(tables)
def test_an_acting_seat_has_at_least_two_moves(table: Table) -> None:
    """TENERIFE-ROUND-5"""
    (seats, options), seed = table
    for state, _, listed, _ in steps(seats, seed, options):
        if state.active:
            assert len(listed) > 1
        assert state.phase is not Phase.ACTIVATE


def test_dozens_of_random_games_have_no_dead_end() -> None:
    """TENERIFE-END-3: there is always a legal move, and every game ends within the promised number of moves."""
    for seats in GAME.seats:
        for seed in range(20):
            made = 0
            for _, _, listed, _ in steps(seats, seed):
                assert 0 < len(listed) <= 60
                made += 1
            assert made <= GAME.max_moves
