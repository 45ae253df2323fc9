from __future__ import annotations

import pytest
from hypothesis import given, settings

from skerry_games.api import OVER
from skerry_games.canarias import GAME
from skerry_games.canarias.events import GameEnded, HandRevealed, RoundEnded, ShipRevealed, TurnBegun
from skerry_games.canarias.moves import Draw, TurnUp
from skerry_games.canarias.printed.cards import DISTINCT, TRIPLES
from skerry_games.canarias.state import DeckOption
from skerry_games.canarias.view import Passenger
from tests.games.canarias.acting import do, happens, refused
from tests.games.canarias.drawing import card, cards, position
from tests.games.canarias.random_games import options_for, steps, tables
from tests.games.conformance.play import dice

PIRATE = TurnUp(card("pirate-brown"))
EIGHTEEN = """
    port: pirate-brown monje-a
    seat 0 on island 1:
      OO BB #  #  GG ~
      R  .  .  .  .  .
"""
NINETEEN = EIGHTEEN.replace("R  .  .", "R  g  .")
MORE_FOR_SEAT_1 = """
    seat 1 on island 2:
      ~  OO BB GG ~
      =  =  NN #  #
"""


def test_with_nineteen_points_after_the_ship_one_more_round_is_played() -> None:
    """CANARIAS-END-1"""
    state, events = happens(position(NINETEEN), PIRATE)
    assert events[-2:] == (RoundEnded(1, (19, 0), last_follows=True, start_seat=0, next_start_seat=1), TurnBegun(2, 1))
    assert state.last
    assert GAME.view(state, None).last_round


def test_eighteen_points_are_not_enough() -> None:
    """CANARIAS-END-1"""
    state, events = happens(position(EIGHTEEN), PIRATE)
    assert events[-2] == RoundEnded(1, (18, 0), last_follows=False, start_seat=0, next_start_seat=1)
    assert not state.last


def test_the_game_ends_after_the_ship_of_the_last_round() -> None:
    """CANARIAS-END-1"""
    state, events = happens(position("round: 9 | last\n" + NINETEEN + MORE_FOR_SEAT_1), PIRATE)
    assert events[-3:] == (
        RoundEnded(9, (19, 20), last_follows=False, start_seat=0, next_start_seat=None),
        ShipRevealed(card("monje-a"), None),
        GameEnded((19, 20), (1,)),
    )
    assert GAME.to_act(state) == OVER
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.ranks, outcome.scores) == ((2, 1), (19, 20))
    assert outcome.reason.startswith("CANARIAS-END-1")
    assert refused(state, Draw(), actor=0) == "CANARIAS-END-1"


def test_at_the_end_every_viewer_sees_the_hands_and_the_ship() -> None:
    """CANARIAS-END-1: the log is open then, and tells them."""
    text = "round: 9 | last\nport: 1:pirate-brown 0:monje-a\nseat 0 on island 1: segador-a pirate-red"
    before = position(text)
    hidden = GAME.view(before, None)
    assert ([seat.cards for seat in hidden.seats], hidden.aboard) == ([(), ()], ())
    state, events = happens(before, PIRATE)
    assert events[-3:] == (
        HandRevealed(0, cards("segador-a pirate-red")),
        ShipRevealed(card("monje-a"), 0),
        GameEnded((0, 0), (0, 1)),
    )
    for viewer in (0, 1, None):
        view = GAME.view(state, viewer)
        assert [seat.cards for seat in view.seats] == [cards("segador-a pirate-red"), ()]
        assert view.aboard == (Passenger(card("monje-a"), 0),)
        assert [GAME.show(event, viewer) for event in events] == list(events)


@given(tables)
@settings(max_examples=10)
def test_the_view_of_a_finished_game_shows_where_every_card_is_and_nothing_is_dealt_anew(
    table: tuple[int, int],
) -> None:
    """CANARIAS-SETUP-2: what is nowhere else is in the deck."""
    *_, (before, actor, _, move) = steps(*table)
    state, _ = GAME.apply(before, actor, move)
    deck = TRIPLES if options_for(table[1]).deck is DeckOption.TRIPLES else DISTINCT
    for viewer in (*range(len(state.seats)), None):
        assert all(GAME.redeal(state, viewer, dice(roll, 0)) == state for roll in range(4))
        view = GAME.view(state, viewer)
        seen = [*view.discard, *(one.card for one in view.aboard), *(one for seat in view.seats for one in seat.cards)]
        assert sorted([*seen, *state.deck]) == sorted(deck)


def test_the_last_round_is_the_last_even_if_no_seat_has_nineteen_points_any_more() -> None:
    """CANARIAS-END-1"""
    state = do(position("round: 9 | last\n" + EIGHTEEN), PIRATE)
    assert GAME.to_act(state) == OVER


def test_a_tie_is_a_shared_win() -> None:
    """CANARIAS-END-1"""
    text = "round: 9 | last\n" + NINETEEN + MORE_FOR_SEAT_1.replace("NN", "N")
    tied = position(text.replace("R  g", "R  ."))
    state, events = happens(tied, PIRATE)
    assert events[-1] == GameEnded((18, 18), (0, 1))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.ranks == (1, 1)


def test_the_fiftieth_round_is_announced_as_the_last() -> None:
    """CANARIAS-END-2: as any last round is."""
    state, events = happens(position("round: 48\nport: pirate-brown monje-a"), PIRATE)
    assert [event.last_follows for event in events if isinstance(event, RoundEnded)] == [False]
    assert not GAME.view(state, None).last_round
    state, events = happens(position("round: 49\nport: pirate-brown monje-a"), PIRATE)
    assert [event.last_follows for event in events if isinstance(event, RoundEnded)] == [True]
    assert GAME.view(state, None).last_round


@pytest.mark.parametrize(("islands", "points"), [(EIGHTEEN, 18), (NINETEEN, 19)])
def test_no_round_follows_the_fiftieth_even_if_nineteen_points_are_first_reached_in_it(
    islands: str, points: int
) -> None:
    """CANARIAS-END-2"""
    state, events = happens(position("round: 50 | last\n" + islands), PIRATE)
    assert [event.last_follows for event in events if isinstance(event, RoundEnded)] == [False]
    assert events[-1] == GameEnded((points, 0), (0,))
    assert GAME.to_act(state) == OVER
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.reason.startswith("CANARIAS-END-2")
    assert refused(state, Draw(), actor=0) == "CANARIAS-END-2"
