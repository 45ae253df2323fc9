from __future__ import annotations

import pytest
from msgspec.structs import replace

from skerry_games.api import MalformedMove
from skerry_games.rng import SeededRng
from skerry_games.small_islands import GAME
from skerry_games.small_islands.events import CardDealt, ExplorationBegun, ObjectiveChosen
from skerry_games.small_islands.moves import ChooseObjective, DealCard, TakeTile
from skerry_games.small_islands.state import Mode, Options, Phase, State
from tests.games.small_islands.acting import choices, do, drawn_on, happens, land, refused
from tests.games.small_islands.drawing import card, position


def choosing(seats: int = 2, mode: Mode = Mode.NORMAL) -> State:
    """Return the state in which all seats choose their first objectives."""
    return drawn_on(GAME.setup(Options(mode=mode, start_seat=0), seats))


def test_six_tiles_of_the_reserve_become_the_navigation_stack() -> None:
    """SMALL-PREP-1"""
    view = GAME.view(choosing(), None)
    assert (view.round, view.navigation_stack, view.reserve) == (1, 6, 43)


def test_each_seat_has_three_objective_cards_to_choose_from() -> None:
    """SMALL-PREP-2"""
    state = choosing(4)
    assert GAME.to_act(state) == (0, 1, 2, 3)
    assert [len(GAME.view(state, seat).seats[seat].cards) for seat in range(4)] == [3, 3, 3, 3]
    assert len(choices(state)) == 6


def test_one_card_is_chosen_one_put_aside_one_returned() -> None:
    """SMALL-PREP-2"""
    state = choosing()
    cards = GAME.view(state, 1).seats[1].cards
    state, events = happens(state, ChooseObjective(cards[1:2], cards[2:3]), actor=1)
    assert events == (ObjectiveChosen(1, cards[1:2], cards[2:3], cards[:1]),)
    view = GAME.view(state, 1).seats[1]
    assert (view.objective, view.aside, view.returned, view.cards) == (cards[1:2], cards[2:3], cards[:1], ())


def test_nobody_learns_more_than_that_another_has_chosen() -> None:
    """SMALL-PREP-2"""
    state = choosing()
    seen = set()
    for move in GAME.legal_moves(state, 0):
        after, events = GAME.apply(state, 0, move)
        seen.add((GAME.view(after, 1), GAME.view(after, None), GAME.show(events[0], 1), GAME.show(events[0], None)))
    ((view, _, shown, spectated),) = seen
    assert shown == spectated == ObjectiveChosen(0, (), (), ())
    assert view.seats[0].has_chosen


def test_exploration_begins_when_all_have_chosen_in_any_order() -> None:
    """SMALL-PREP-2"""
    state = choosing(3)
    state, _ = happens(state, GAME.legal_moves(state, 2)[0], actor=2)
    assert GAME.to_act(state) == (0, 1)
    assert refused(state, ChooseObjective((0,), (1,)), actor=2) == "SMALL-PREP-2"
    state, _ = happens(state, choices(state)[3])
    assert state.phase is Phase.CHOOSE_OBJECTIVE
    state, events = happens(state, choices(state)[5])
    assert events[-1] == ExplorationBegun(0)
    assert GAME.to_act(state) == (0,)


def test_a_choice_is_two_different_cards_of_ones_own() -> None:
    """SMALL-PREP-2"""
    state = choosing()
    mine, others = GAME.view(state, 0).seats[0].cards, GAME.view(state, 1).seats[1].cards
    assert refused(state, ChooseObjective(mine[:1], mine[:1])) == "SMALL-PREP-2"
    assert refused(state, ChooseObjective(mine[:1], others[:1])) == "SMALL-PREP-2"
    assert refused(state, ChooseObjective(mine[:2], mine[1:])) == "SMALL-PREP-2"
    assert refused(state, TakeTile(0)) == "SMALL-PREP-2"
    with pytest.raises(MalformedMove):
        GAME.apply(state, 0, ChooseObjective((99,), mine[:1]))


def test_a_card_that_lies_in_no_pile_is_not_drawn() -> None:
    """SMALL-PREP-2"""
    state = GAME.setup(Options(start_seat=0), 2)
    while state.phase is not Phase.DEAL_CARDS:
        state = do(state, GAME.draw(state, SeededRng(bytes(32), 1)))
    state, events = happens(state, DealCard(0, card("O3")))
    assert events == (CardDealt(0, card("O3")),)
    assert refused(state, DealCard(1, card("O3"))) == "SMALL-PREP-2"
    assert refused(state, DealCard(0, card("O4"))) == "SMALL-PREP-2", "seat 1 draws now"
    assert refused(state, DealCard(1, card("M1"))) == "SMALL-PREP-2"
    with pytest.raises(MalformedMove):
        GAME.apply(state, -1, DealCard(0, 36))


def test_in_the_advanced_mode_a_mission_and_a_reward_are_chosen_put_aside_and_returned() -> None:
    """SMALL-PREP-3"""
    state = choosing(4, Mode.ADVANCED)
    m1, m2, m3, w1, w2, w3 = GAME.view(state, 0).seats[0].cards
    assert len(set(choices(state))) == 36
    _, events = happens(state, ChooseObjective((m3, w1), (m1, w2)))
    assert events == (ObjectiveChosen(0, (m3, w1), (m1, w2), (m2, w3)),)
    assert refused(state, ChooseObjective((w1, m3), (m1, w2))) == "SMALL-PREP-3"
    assert refused(state, ChooseObjective((m3,), (m1,))) == "SMALL-PREP-3"
    assert refused(state, ChooseObjective((m3, w1), (m1, w1))) == "SMALL-PREP-3"


def test_the_card_put_aside_is_one_of_three_in_the_next_round_and_may_be_returned() -> None:
    """SMALL-PREP-4"""
    state = position("L55\nreserve: 20\nseat 0: objective O7\nseat 1: objective O8")
    aside = GAME.view(state, 0).seats[0].aside
    state = drawn_on(do(state, land("4,5")))
    cards = GAME.view(state, 0).seats[0].cards
    assert cards[:1] == aside
    assert ChooseObjective(cards[1:2], cards[2:]) in choices(state)
    assert ChooseObjective(cards[:1], cards[2:]) in choices(state)


def test_the_order_of_secret_choices_does_not_matter() -> None:
    """SMALL-PREP-2"""
    state = choosing(2, Mode.ADVANCED)
    one, other = GAME.legal_moves(state, 0)[7], GAME.legal_moves(state, 1)[20]
    first = GAME.apply(GAME.apply(state, 0, one)[0], 1, other)[0]
    second = GAME.apply(GAME.apply(state, 1, other)[0], 0, one)[0]
    assert first == second
    assert replace(first, chosen=0) != replace(state, chosen=0)
