"""Knowledge of each viewer: a redeal keeps all of it and varies everything else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from skerry_games.api import Viewer
from skerry_games.rng import SeededRng
from skerry_games.small_islands import GAME
from skerry_games.small_islands.printed.components import COMPONENTS
from skerry_games.small_islands.state import Discovery, End, Mode, Options, Phase, State
from skerry_games.small_islands.tabletop.table import fits
from tests.games.small_islands.acting import do, drawn_on, explore, land, pick, take
from tests.games.small_islands.drawing import card, face, position
from tests.games.small_islands.random_games import Table, states, tables


def redeals(state: State, viewer: Viewer, count: int = 60) -> Iterator[State]:
    for roll in range(count):
        yield GAME.redeal(state, viewer, SeededRng(bytes(32), roll))


def test_hands_of_others_and_the_reserve_are_mixed() -> None:
    """SMALL-SETUP-3"""
    state = position("L55\nseat 0: hand L01 L02\nseat 1: hand L03 L04")
    hands = {twin.seats[1].hand for twin in redeals(state, 0)}
    assert len(hands) > 40
    assert {twin.seats[0].hand for twin in redeals(state, 0)} == {(face("L01"), face("L02"))}
    assert {tile for hand in hands for tile in hand} & {face("L01"), face("L02"), *state.display} == set()


def test_the_same_dice_deal_the_same_whatever_is_hidden() -> None:
    state = position("L55\nseat 0: hand L01 L02\nseat 1: hand L03 L04")
    dealt = [*redeals(state, 0)]
    assert all([*redeals(twin, 0)] == dealt for twin in dealt[:5])


def test_a_tile_from_the_display_that_stays_in_the_hand_is_known_there() -> None:
    """SMALL-EXPLORE-2"""
    state = position("L55\nreserve: 30\ndisplay: L01 L05\nseat 0: hand L03 L04")
    state = drawn_on(do(state, *explore("L03", "5,4", 1, taken="L01")))
    assert GAME.view(state, 1).seats[0].hand == (face("L01"),)
    hands = {twin.seats[0].hand for twin in redeals(state, 1)}
    assert len(hands) > 10
    assert all(face("L01") in hand for hand in hands)


def test_a_tile_that_was_known_in_the_hand_is_not_known_there_once_it_is_laid() -> None:
    """SMALL-EXPLORE-2"""
    state = position("L55\nreserve: 30\ndisplay: L01 L05\nseat 0: hand L03 L04")
    state = do(state, *explore("L01", "5,4", 1))
    assert GAME.view(state, 1).seats[0].hand == ()
    assert not state.open_tiles


def test_the_picked_tile_is_known_at_once() -> None:
    state = do(position("L55\ndisplay: L01\nseat 0: hand L03 L04"), take("L01"), pick("L03"))
    assert GAME.view(state, None).seats[0].hand == (face("L01"), face("L03"))
    assert all(face("L03") in twin.seats[0].hand for twin in redeals(state, 1))


def test_a_hand_that_was_shown_stays_known() -> None:
    """SMALL-EXPLORE-3"""
    text = "~grey L55\nL56 ~grey\ndisplay: L17 L18\nseat 0: hand L35 L36\nreserve: 5"
    state = drawn_on(do(position(text), take("L17")))
    assert {twin.seats[0].hand for twin in redeals(state, 1)} == {(face("L35"), face("L36"))}


def test_that_a_hand_was_not_shown_tells_that_something_in_it_fits() -> None:
    """SMALL-EXPLORE-3: the tile that was taken does not fit, so one of the others does."""
    text = "~grey L55\nL56 ~grey\ndisplay: L17\nseat 0: hand L01 L36\nreserve: 30"
    state = do(position(text), take("L17"))
    for twin in redeals(state, 1):
        assert any(fits(twin.table, tile) for tile in twin.seats[0].hand)
        assert GAME.legal_moves(twin, 0)


def round_two(seats: int = 2) -> State:
    """Return the second choice of objectives; in the first round seat 1 has used O8."""
    text = "L55\nreserve: 30\nseat 0: objective O7\nseat 1: objective O8\nseat 2: objective O9"
    text = "\n".join(text.splitlines()[: 2 + seats])
    return drawn_on(do(position(text, seats), land("4,5")))


def test_a_card_that_was_revealed_or_returned_is_not_one_put_aside_by_another() -> None:
    """SMALL-ROUND-1: seat 0 knows the cards used and its own returned one back in the pile."""
    state = round_two()
    mine = state.decks[0].past[0][0]
    asides = {twin.decks[0].cards[1][0] for twin in redeals(state, 0, 200)}
    assert asides & {card("O7"), card("O8"), *mine} == set()
    assert len(asides) > 4
    drawn = {each for twin in redeals(state, 0, 200) for each in twin.decks[0].cards[1][1:]}
    assert card("O8") in drawn or card("O8") in state.decks[0].cards[0]


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_card_put_aside_is_chosen_put_aside_again_and_returned_equally_often(seats: int) -> None:
    """SMALL-PREP-4: the previous use of a card does not reveal its next use."""
    places = put_aside(all_chosen(seats), 300)
    assert all(70 <= places[place] <= 130 for place in range(3)), places


def test_each_history_of_cards_is_dealt_equally_often() -> None:
    """SMALL-PREP-4: counted are those of two seats in which seat 0 sees the same, objectives of both rounds too."""
    state = replace(all_chosen(2), revealed=0b11)
    deck, cards = state.decks[0], set(range(12))
    known, (own, other) = {*deck.past[0][0], deck.past[0][1][0]}, deck.cards
    histories = Counter(
        place
        for drawn in permutations(cards - {*own, other[0]}, 2)
        for place, aside in enumerate((other[0], *drawn))
        if aside not in known
        for _returned in cards - known - {aside}
    )
    places = put_aside(state, 600)
    for place, count in histories.items():
        assert abs(places[place] / 600 - count / histories.total()) < 0.06, (places, histories)


def all_chosen(seats: int) -> State:
    """Return the second round when all have chosen."""
    state = round_two(seats)
    for seat in range(seats):
        state = do(state, GAME.legal_moves(state, seat)[seat])
    return state


def put_aside(state: State, count: int) -> Counter[int]:
    """Redeal for seat 0 that many times. Return how seat 1 used the objective that it had put aside."""
    decks = [twin.decks[0] for twin in redeals(state, 0, count)]
    return Counter(deck.cards[1].index(deck.past[0][1][1]) for deck in decks)


def test_what_a_spectator_knows_of_cards_is_what_was_revealed() -> None:
    """SMALL-ROUND-1"""
    state = round_two()
    for twin in redeals(state, None):
        (past,) = twin.decks[0].past
        assert [chosen for chosen, _, _ in past] == [card("O7"), card("O8")]
    assert len({twin.decks[0].past for twin in redeals(state, None)}) > 20


@settings(max_examples=12)
@given(st.sampled_from(Mode), st.sampled_from(GAME.seats), st.integers(min_value=0, max_value=1 << 20))
def test_every_redealt_history_of_cards_could_have_happened(mode: Mode, seats: int, seed: int) -> None:
    """SMALL-PREP-2, SMALL-PREP-4: a card put aside is among the next three, and no card is in two places."""
    for number, state in enumerate(states(Options(mode=mode), seats, seed)):
        viewer = (*range(seats), None)[number % (seats + 1)]
        twin = GAME.redeal(state, viewer, SeededRng(bytes(32), number))
        check_cards(twin)
        if viewer is not None:
            for deck, real in zip(twin.decks, state.decks, strict=True):
                assert deck.cards[viewer] == real.cards[viewer]
                assert [each[viewer] for each in deck.past] == [each[viewer] for each in real.past]
        check_discoveries(twin)


def check_cards(state: State) -> None:
    for deck in state.decks:
        held = [card for cards in deck.cards for card in cards]
        assert len({*held, *deck.pile}) == len(held) + len(deck.pile) == 12
        rounds = [*deck.past, deck.cards]
        for seat in range(len(state.seats)):
            for before, after in pairwise(rounds):
                assert before[seat][1] in after[seat]
        for played in deck.past:
            assert len({card for trio in played for card in trio}) == 3 * len(state.seats)


def check_discoveries(state: State) -> None:
    left = list(COMPONENTS.discovery_tokens)
    for each in state.discoveries:
        pool = left.copy()
        for value in each.drawn:
            pool.remove(value)
        if each.kept:
            left.remove(each.kept)


def test_who_saw_a_discovery_token_in_the_pool_knows_that_nobody_had_kept_it() -> None:
    """SMALL-PAY-1: seat 1 kept one token before seat 0 drew both eights and both sevens."""
    drawn = (Discovery(1, (3, 4), 3), Discovery(0, (7, 7, 8, 8), 8), Discovery(1, (5, 6), 6))
    state = replace(position("L55"), discoveries=drawn)
    kept = {tuple(each.kept for each in twin.discoveries) for twin in redeals(state, 0, 200)}
    assert {first for first, _, _ in kept} == {3, 4, 5, 6}
    assert {own for _, own, _ in kept} == {8}
    assert {last for _, _, last in kept} == {3, 4, 5, 6, 7, 8}


def test_what_others_keep_is_hidden_until_the_end() -> None:
    """SMALL-PAY-1, SMALL-SCORE-1"""
    drawn = (Discovery(1, (3, 4), 3),)
    state = replace(position("L55\nreserve: 3"), discoveries=drawn)
    assert [seat.discoveries for seat in GAME.view(state, 1).seats] == [(), (3,)]
    assert [seat.discoveries for seat in GAME.view(state, 0).seats] == [(), ()]
    over = do(state, land("4,5"))
    while over.phase is not Phase.OVER:
        over = do(over, GAME.legal_moves(over, GAME.to_act(over)[0])[-1])
    assert [seat.discoveries for seat in GAME.view(over, 0).seats] == [(), (3,)]


@settings(max_examples=12)
@given(tables)
def test_when_the_game_is_over_everybody_sees_what_the_log_shows(table: Table) -> None:
    """SMALL-SCORE-1: all views are equal and include what each seat saw of its own before. A redeal keeps it."""
    *_, before, over = states(*table)
    views = [GAME.view(over, viewer) for viewer in (*range(len(over.seats)), None)]
    assert all(view == views[0] for view in views)
    for number, seat in enumerate(views[0].seats):
        mine = GAME.view(before, number).seats[number]
        assert seat.hand == seat.open_hand and len(seat.hand) == seat.tiles_in_hand
        assert seat.discoveries[: len(mine.discoveries)] == mine.discoveries
        assert seat.aside == mine.aside
        if over.end is not End.RESERVE:
            assert (seat.objective, seat.returned) == (mine.objective, mine.returned)
    assert all(twin == over for viewer in (0, None) for twin in redeals(over, viewer, 3))
