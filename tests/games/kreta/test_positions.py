"""Invariants that hold in every position of random games."""

from __future__ import annotations

from hypothesis import given
from msgspec import msgpack
from msgspec.structs import replace

from skerry_games.kreta import GAME
from skerry_games.kreta.actions.card_play import able_cards
from skerry_games.kreta.events import AbbotMoved, VillagerMarched
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.moves import March, MoveAbbot
from skerry_games.kreta.province_sets import count_at
from skerry_games.kreta.state import FULL_HAND, KretaCard, Phase, State, Tile
from tests.games.kreta.random_games import states, steps, tables

MOST_BYTES = 300


@given(tables)
def test_counts_fit_their_digits_and_figures_are_their_sum(table: tuple[int, int]) -> None:
    """KRETA-COMMANDER-3: no province ever holds more than 7 figures."""
    for state in states(*table):
        for province in range(16):
            figures = sum(
                count_at(counts, province)
                for seat in state.seats
                for counts in (seat.villagers, seat.villages, seat.abbot)
            )
            assert count_at(state.figures, province) == figures <= 7
            assert count_at(state.tiles, province) <= max(Tile)


@given(tables)
def test_apply_leaves_its_argument_as_it_was_and_the_state_survives_packing(table: tuple[int, int]) -> None:
    for state, actor, _, move in steps(*table):
        before = msgpack.encode(state)
        GAME.apply(state, actor, move)
        assert msgpack.encode(state) == before
        assert msgpack.decode(before, type=State) == state
        assert msgpack.decode(msgpack.encode(move), type=GAME.move_type) == move


@given(tables)
def test_a_state_takes_a_few_hundred_bytes(table: tuple[int, int]) -> None:
    assert max(len(msgpack.encode(state)) for state in states(*table)) <= MOST_BYTES


@given(tables)
def test_a_card_can_act_exactly_if_its_action_has_a_move(table: tuple[int, int]) -> None:
    """KRETA-TURN-2: and the admiral always can, as hand.py claims."""
    for state in states(*table):
        if state.phase is not Phase.PLAY_CARD:
            continue
        able = able_cards(state, state.turn, FULL_HAND)
        for card in set(KretaCard) - {KretaCard.KING, KretaCard.CASTELLAN}:
            acting = replace(state, phase=Phase.ACTION, action=card)
            assert bool(GAME.legal_moves(acting, state.turn)) == bool(able >> card & 1)


@given(tables)
def test_a_march_pays_its_steps_and_changes_the_placing(table: tuple[int, int]) -> None:
    """KRETA-COMMANDER-1, KRETA-COMMANDER-5"""
    for state, actor, listed, _ in steps(*table):
        for move in listed:
            if not isinstance(move, March):
                continue
            after, events = GAME.apply(state, actor, move)
            paid = (state.points or 4) - events[0].points_left  # type: ignore[union-attr]
            assert 1 <= paid <= (state.points or 4)
            assert after.seats[actor].villagers not in (state.began, state.seats[actor].villagers)


def plain_way(origin: int, target: int, barred: set[int]) -> tuple[int, ...]:
    """Search breadth first, neighbours in order: the first way found is a shortest one with the lowest turns."""
    ways: list[tuple[int, ...]] = [(origin,)]
    while ways:
        for way in ways:
            if way[-1] == target:
                return way[1:-1]
        ways = [
            (*way, other)
            for way in ways
            for other in BOARD.provinces[way[-1]].adjacent
            if other not in barred and other not in way
        ]
    raise AssertionError("there is no way")


@given(tables)
def test_what_is_crossed_is_a_shortest_allowed_way(table: tuple[int, int]) -> None:
    """KRETA-COMMANDER-4, KRETA-COMMANDER-5, KRETA-ABBOT-2"""
    for state, actor, listed, _ in steps(*table):
        full = {province for province in range(16) if count_at(state.figures, province) == 7}
        for move in (move for move in listed if isinstance(move, March | MoveAbbot)):
            (events, *_) = GAME.apply(state, actor, move)[1]
            assert isinstance(events, VillagerMarched | AbbotMoved)
            assert (events.from_province, events.to_province) == (move.from_province, move.to_province)
            assert events.crossed == plain_way(
                move.from_province, move.to_province, full if isinstance(move, March) else set()
            )
            if isinstance(events, VillagerMarched):
                assert len(events.crossed) + 1 == (state.points or 4) - events.points_left


def naive_marches(state: State, me: int) -> set[March]:
    """Find marches by search, to compare with those that ``legal_moves`` selects from packed sets."""
    figures = [count_at(state.figures, province) for province in range(16)]
    villagers = [count_at(state.seats[me].villagers, province) for province in range(16)]
    began = [count_at(state.began or state.seats[me].villagers, province) for province in range(16)]
    abbots = [[bool(count_at(seat.abbot, province)) for seat in state.seats] for province in range(16)]
    found = set()
    for origin in range(16):
        near = {origin} if villagers[origin] else set()
        for _ in range(state.points or 4):
            near |= {other for place in near for other in BOARD.provinces[place].adjacent if figures[other] < 7}
        for target in near - {origin}:
            placing = [*villagers]
            placing[origin] -= 1
            placing[target] += 1
            if placing != began and (abbots[target][me] or not any(abbots[target])):
                found.add(March(origin, target))
    return found


@given(tables)
def test_marches_are_those_of_a_plain_search(table: tuple[int, int]) -> None:
    """KRETA-COMMANDER-2 to KRETA-COMMANDER-5, KRETA-PEACE-1"""
    for state, actor, listed, _ in steps(*table):
        if state.action is KretaCard.COMMANDER:
            assert {move for move in listed if isinstance(move, March)} == naive_marches(state, actor)


def test_dozens_of_random_games_have_no_dead_end() -> None:
    """KRETA-TURN-3: there is always a legal move, and every game ends within the promised number of moves."""
    for seats in GAME.seats:
        for seed in range(20):
            made = 0
            for _, _, listed, _ in steps(seats, seed):
                assert listed
                made += 1
            assert made <= GAME.max_moves
