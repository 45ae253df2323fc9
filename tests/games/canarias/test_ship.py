from __future__ import annotations

import pytest

from skerry_games.api import CHANCE, MalformedMove
from skerry_games.canarias import GAME
from skerry_games.canarias.events import (
    Comparison,
    HousePlaced,
    RoundEnded,
    SettlerChose,
    ShipCardTurnedUp,
    TurnBegun,
)
from skerry_games.canarias.moves import PLACE, Load, Place, TurnUp
from skerry_games.canarias.printed.terms import Colour, Feature
from skerry_games.canarias.state import Phase, State, loaders
from tests.games.canarias.acting import choices, do, events_of, happens, refused
from tests.games.canarias.drawing import card, cards, drawn, lies, position, sq, sqs

BASKET_WEAVER = card("cestero-a")
"""A beige house; blue, village, coast, green."""

# The worked example of the rules: A and B have four empty squares next to blue buildings, C has two; A and B have one
# next to the village; next to the coast A has three and B has one.
THREE_ISLANDS = """
    round: 2 | start 0
    port: cestero-a pirate-red
    seat 0 on island 1:
      .  o  #  #  B  ~
      .  b  .  e  .  .
      r  .  =  =  .  ~
    seat 1 on island 2:
      ~  .  .  e  ~
      =  =  r  #  #
      .  b  b  .  o
      ~  .  .  r  ~
    seat 2 on island 3:
      ~  r  n  ~  ~
      =  .  .  .  b
      =  .  #  .  .
      B  g  #  .  ~
"""


def chosen(state: State, name: str) -> SettlerChose:
    (event,) = events_of(SettlerChose, state, TurnUp(card(name)))
    return event


def test_the_basket_weaver_compares_three_islands() -> None:
    """CANARIAS-ARRIVE-2, CANARIAS-ARRIVE-4: the example of the rulebook."""
    state, events = happens(position(THREE_ISLANDS, seats=3), TurnUp(BASKET_WEAVER))
    assert events == (
        ShipCardTurnedUp(BASKET_WEAVER),
        SettlerChose(
            BASKET_WEAVER,
            (
                Comparison(Feature.BLUE, ((0, 4), (1, 4), (2, 2))),
                Comparison(Feature.VILLAGE, ((0, 1), (1, 1))),
                Comparison(Feature.COAST, ((0, 3), (1, 1))),
            ),
            winner=0,
            privilege=False,
        ),
    )
    assert GAME.to_act(state) == (0,)
    assert set(choices(state)) == {PLACE[square] for square in sqs("B1 B3 B5 C2")}
    (house, *_) = events_of(HousePlaced, state, Place(sq("B3")))
    assert house == HousePlaced(0, sq("B3"), Colour.BEIGE, Feature.BLUE, automatic=False)


def test_all_cards_but_one_are_turned_up_one_after_the_other() -> None:
    """CANARIAS-ARRIVE-1"""
    state = position("port: capitan-a 0:pirate-red 1:pirate-blue\nseat 1 on island 2:")
    assert set(choices(state)) == {TurnUp(number) for number in cards("capitan-a pirate-red pirate-blue")}
    state = do(state, TurnUp(card("capitan-a")))
    assert state.phase is Phase.PLACE, "a card is carried out before the next"
    state = do(state, PLACE[sq("C1")])
    assert choices(state) == (TurnUp(card("pirate-blue")), TurnUp(card("pirate-red")))
    state = do(state, TurnUp(card("pirate-red")))
    assert [one for one, _ in state.ship] == [card("pirate-blue")]
    assert state.phase is Phase.BUILD_OR_DRAW, "the last one stays"


def test_a_card_that_is_not_on_the_ship_is_not_turned_up() -> None:
    """CANARIAS-ARRIVE-1"""
    state = position("port: capitan-a 0:pirate-red")
    assert refused(state, TurnUp(card("monje-a"))) == "CANARIAS-ARRIVE-1"
    assert refused(position(), TurnUp(card("monje-a")), actor=0) == "CANARIAS-ARRIVE-1"
    with pytest.raises(MalformedMove):
        GAME.apply(state, CHANCE, TurnUp(60))


def test_the_most_empty_squares_next_to_the_first_priority_win() -> None:
    """CANARIAS-ARRIVE-2: five next to the coast of island 1, three next to that of island 2."""
    event = chosen(position("port: capitan-a pirate-red"), "capitan-a")
    assert (event.winner, event.comparisons) == (0, (Comparison(Feature.COAST, ((0, 5), (1, 3))),))


def test_empty_squares_count_and_not_buildings() -> None:
    """CANARIAS-ARRIVE-2"""
    state = position("port: capitan-a pirate-red\nseat 0 on island 1:\n. . # # r ~\n. . . . . b\ng . = = . ~")
    assert chosen(state, "capitan-a").comparisons[0].counts == ((0, 2), (1, 3))


def test_if_no_seat_has_an_empty_square_all_are_compared_by_the_next_priority() -> None:
    """CANARIAS-ARRIVE-2"""
    event = chosen(position("port: cestero-a pirate-red", seats=3), "cestero-a")
    assert event.comparisons == (
        Comparison(Feature.BLUE, ((0, 0), (1, 0), (2, 0))),
        Comparison(Feature.VILLAGE, ((0, 4), (1, 4), (2, 5))),
    )
    assert event.winner == 2


def test_a_seat_with_fewer_squares_is_out_even_if_it_has_more_at_the_next_priority() -> None:
    """CANARIAS-ARRIVE-2: seat 2 has most next to its village, but fewer next to blue."""
    event = chosen(position(THREE_ISLANDS, seats=3), "cestero-a")
    assert [seat for seat, _ in event.comparisons[1].counts] == [0, 1]


def test_without_a_decision_the_settler_builds_nowhere() -> None:
    """CANARIAS-ARRIVE-3: both islands are full."""
    state = position(
        """
        port: cestero-b pirate-red
        seat 0 on island 1:
          r  r  #  #  r  ~
          r  r  r  r  r  r
          r  r  =  =  r  ~
        seat 1 on island 2:
          ~  r  r  r  ~
          =  =  r  #  #
          r  r  r  r  r
          ~  r  r  r  ~
        """
    )
    event = chosen(state, "cestero-b")
    assert (event.winner, len(event.comparisons)) == (None, 4)
    after = do(state, TurnUp(card("cestero-b")))
    assert after.houses_left == state.houses_left
    assert after.discard == cards("cestero-b")


def test_a_tie_at_all_priorities_decides_nothing_although_squares_are_empty() -> None:
    """CANARIAS-ARRIVE-3: four squares each next to the village, three next to the road, nothing green or brown."""
    state = position("port: herrero-b pirate-red\nseat 1 on island 2:\n~ . . . ~\n= = . # #\n. r r . .")
    event = chosen(state, "herrero-b")
    assert [step.counts for step in event.comparisons] == [
        ((0, 4), (1, 4)),
        ((0, 3), (1, 3)),
        ((0, 0), (1, 0)),
        ((0, 0), (1, 0)),
    ]
    assert event.winner is None


def test_the_house_goes_next_to_the_first_priority_whichever_decided() -> None:
    """CANARIAS-ARRIVE-4: the coast decided, but blue binds."""
    state = do(position(THREE_ISLANDS, seats=3), TurnUp(BASKET_WEAVER))
    assert refused(state, Place(sq("C1"))) == "CANARIAS-BUILD-1"
    assert refused(state, Place(sq("B6"))) == "CANARIAS-BUILD-2"


def test_the_owner_of_the_island_places_the_house_out_of_turn() -> None:
    """CANARIAS-ARRIVE-4"""
    state = do(position("round: 2 | start 1\nport: capitan-a pirate-red"), TurnUp(card("capitan-a")))
    assert GAME.to_act(state) == (0,)
    assert GAME.view(state, None).turn is None
    assert refused(state, Place(sq("C1")), actor=1) == "CANARIAS-TURN-1"
    state = do(state, Place(sq("C1")))
    assert drawn(state, 0) == lies(
        """
        .  .  #  #  .  ~
        .  .  .  .  .  .
        n  .  =  =  .  ~
        """
    )


def test_several_settlers_of_a_ship_may_choose_one_island() -> None:
    """CANARIAS-ARRIVE-2"""
    state = position("port: capitan-a capitan-b pirate-red")
    state = do(state, TurnUp(card("capitan-a")), Place(sq("C1")))
    assert chosen(state, "capitan-b").winner == 0


def test_a_house_counts_for_the_next_settler() -> None:
    """CANARIAS-ARRIVE-1: five squares next to the coast become three, as many as those of the other island."""
    state = position("port: capitan-a capitan-b capitan-c pirate-red")
    for name, square in (("capitan-a", "A5"), ("capitan-b", "B6")):
        state = do(state, TurnUp(card(name)), Place(sq(square)))
    assert chosen(state, "capitan-c").comparisons[0].counts == ((0, 3), (1, 3))


def test_after_the_ship_the_start_seat_moves_on_and_the_cards_are_discarded() -> None:
    """CANARIAS-ARRIVE-5"""
    state = position("round: 4 | start 2\nport: pirate-red 0:pirate-blue 1:pirate-green 2:monje-a", seats=3)
    state = do(state, TurnUp(card("pirate-red")), TurnUp(card("pirate-green")))
    state, events = happens(state, TurnUp(card("pirate-blue")))
    assert events[-2:] == (
        RoundEnded(4, (0, 0, 0), last_follows=False, start_seat=2, next_start_seat=0),
        TurnBegun(5, 0),
    )
    assert (state.start, state.round, GAME.to_act(state)) == (0, 5, (0,))
    assert state.discard == cards("pirate-red pirate-blue pirate-green")
    assert (state.ship, loaders(state)) == (((card("monje-a"), 2),), 0)


def test_the_card_that_stayed_is_the_first_of_the_next_ship() -> None:
    """CANARIAS-ARRIVE-1"""
    state = position("turn: 1 load\nship: monje-a 0:monje-b\nseat 1 on island 2: pirate-red segador-a")
    state = do(state, Load(card("pirate-red")), TurnUp(card("pirate-red")))
    assert len(state.ship) == 2
    assert {move.card for move in choices(state) if isinstance(move, TurnUp)} == {card("monje-a"), card("monje-b")}
