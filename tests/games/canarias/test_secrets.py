"""Knowledge of a seat: its hand, its cards on the ship until they are turned up, and public counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from skerry.games.canarias.v1 import canarias_pb2 as pb
from skerry_games.api import MalformedMove, Viewer
from skerry_games.canarias import GAME
from skerry_games.canarias.events import CardDrawn, CardLoaded
from skerry_games.canarias.knowledge import count, is_fresh
from skerry_games.canarias.moves import DealCard, Draw, Load, StartShip, TakeExtra, TurnUp
from skerry_games.canarias.state import NO_SEAT, State, at_sea
from skerry_games.canarias.view import Passenger
from skerry_service.wire.payloads import codec_of
from tests.games.canarias.acting import do, events_of
from tests.games.canarias.drawing import card, cards, position
from tests.games.canarias.random_games import states, steps, tables
from tests.games.canarias.totals import count_pieces
from tests.games.conformance.play import dice

CODEC = codec_of("canarias")

DRAWN = 40
"""Redeals that are looked at where something rare must come up."""


def redealt(state: State, viewer: Viewer, times: int = DRAWN) -> Iterator[State]:
    for roll in range(times):
        yield GAME.redeal(state, viewer, dice(roll, 0))


def fresh(state: State, held: tuple[int, ...] | list[int]) -> int:
    """Return how many of the cards may come from the present deck."""
    return sum(is_fresh(state.known, one) for one in held)


def check_counts(state: State) -> None:
    """Check that public knowledge is true: no stale card in the deck, and hands within their bounds."""
    assert fresh(state, state.deck) == len(state.deck)
    for me, seat in enumerate(state.seats):
        loaded = [one for one, loader in state.ship[1:] if loader == me] if at_sea(state) else []
        held = fresh(state, [*seat.hand, *loaded])
        assert count(state.known.least, me) <= held <= count(state.known.most, me)
    if at_sea(state) and state.ship and not state.known.first_fresh:
        assert not fresh(state, [state.ship[0][0]])


@given(tables)
def test_public_knowledge_is_true_and_a_redeal_keeps_it(table: tuple[int, int]) -> None:
    for number, state in enumerate(states(*table)):
        check_counts(state)
        if number % 5 == 0:
            for viewer in (None, number % len(state.seats)):
                check_counts(GAME.redeal(state, viewer, dice(1, number)))


@given(tables)
@settings(max_examples=6)
def test_alike_states_look_alike_in_all_variants(table: tuple[int, int]) -> None:
    for number, state in enumerate(states(*table)):
        for viewer in (*range(len(state.seats)), None):
            twin = GAME.redeal(state, viewer, dice(2, number))
            assert GAME.view(twin, viewer) == GAME.view(state, viewer)
            assert GAME.view(twin, None) == GAME.view(state, None)
            assert count_pieces(twin) == count_pieces(state)
            if viewer is not None:
                assert GAME.legal_moves(twin, viewer) == GAME.legal_moves(state, viewer)


def test_a_hand_is_shown_to_its_seat_alone() -> None:
    """CANARIAS-SETUP-4"""
    state = position("seat 0 on island 1: segador-a cantero-b")
    assert GAME.view(state, 0).hand == cards("segador-a cantero-b")
    assert GAME.view(state, 1).hand == GAME.view(state, None).hand == ()
    assert GAME.view(state, 1).seats[0].hand == 2


def test_only_the_drawing_seat_sees_a_drawn_card() -> None:
    """CANARIAS-SETUP-4"""
    drawing = do(position("seat 0 on island 1:"), Draw())
    (event,) = events_of(CardDrawn, drawing, DealCard(0, card("monje-a")))
    assert GAME.show(event, 0) == event
    assert GAME.show(event, 1) == GAME.show(event, None) == CardDrawn(0, None)


def test_a_loaded_card_is_known_to_its_owner_alone() -> None:
    """CANARIAS-SHIP-1"""
    loading = position("turn: 0 load\nseat 0 on island 1: segador-a cantero-b")
    (event,) = events_of(CardLoaded, loading, Load(card("cantero-b")))
    assert GAME.show(event, 0) == event
    assert GAME.show(event, 1) == CardLoaded(0, None)
    state = do(loading, Load(card("cantero-b")))
    aboard = [GAME.view(state, viewer).aboard for viewer in (0, 1, None)]
    assert aboard == [(Passenger(card("cantero-b"), 0),), (), ()]
    assert all(twin.ship[1] == state.ship[1] for twin in redealt(state, 0))
    assert len({twin.ship[1] for twin in redealt(state, 1)}) > DRAWN // 2


def test_no_seat_knows_the_first_card_of_the_first_ship() -> None:
    """CANARIAS-SETUP-4"""
    state = position("ship: monje-a")
    for viewer in (0, 1, None):
        assert GAME.view(state, viewer).aboard == ()
        assert len({twin.ship for twin in redealt(state, viewer)}) > DRAWN // 2


def test_the_owner_of_a_card_knows_that_it_is_aboard_until_it_is_turned_up() -> None:
    """CANARIAS-SHIP-1: when all others have been turned up, the owner knows which one stays."""
    state = position("round: 2 | start 0\nport: pirate-red 0:monje-a 1:pirate-blue")
    state = do(state, TurnUp(card("pirate-red")))
    assert GAME.view(state, 0).aboard == (Passenger(card("monje-a"), 0),)
    assert all(card("monje-a") in [one for one, _ in twin.ship] for twin in redealt(state, 0))
    state = do(state, TurnUp(card("pirate-blue")))
    assert state.ship == ((card("monje-a"), 0),)
    assert GAME.view(state, 0).aboard == (Passenger(card("monje-a"), 0),)
    assert all(twin.ship == state.ship for twin in redealt(state, 0))
    assert GAME.view(state, 1).aboard == ()
    assert {loader for twin in redealt(state, 1) for _, loader in twin.ship} == {0, NO_SEAT}


def test_after_the_arrival_a_seat_still_knows_its_cards_on_the_ship() -> None:
    """CANARIAS-SHIP-1"""
    loading = position("turn: 1 load\nship: hidalgo-c 0:segador-a\nseat 1 on island 2: cantero-b")
    state = do(loading, Load(card("cantero-b")))
    assert not at_sea(state)
    aboard = [GAME.view(state, viewer).aboard for viewer in (0, 1, None)]
    assert aboard == [(Passenger(card("segador-a"), 0),), (Passenger(card("cantero-b"), 1),), ()]


def test_the_seat_of_one_of_two_equal_cards_cannot_know_which_was_turned_up() -> None:
    """CANARIAS-SHIP-1: with the deck of triples."""
    state = position("port: hidalgo-c 0:monje-a 1:monje-b")
    twin = (card("monje-a"), 1)
    state = do(replace(state, ship=((card("monje-a"), 0), twin, state.ship[-1])), TurnUp(card("monje-a")))
    assert state.ship == ((card("monje-a"), NO_SEAT), (card("hidalgo-c"), NO_SEAT))
    assert GAME.view(state, 0).aboard == ()


def test_the_seat_of_both_equal_cards_knows_the_remaining_card() -> None:
    """CANARIAS-SHIP-1: with the deck of triples, one in the round before and one in this."""
    state = position("port: hidalgo-c 0:monje-a 0:monje-b")
    alike = (card("monje-a"), 0)
    state = do(replace(state, ship=(alike, alike, state.ship[-1])), TurnUp(card("monje-a")))
    assert GAME.view(state, 0).aboard == (Passenger(card("monje-a"), 0),)
    assert GAME.view(state, 1).aboard == ()


def test_the_seat_of_two_of_three_equal_cards_knows_that_one_of_them_remains() -> None:
    """CANARIAS-SHIP-1: with the deck of triples; no seat knows the owner of the third card."""
    state = position("port: hidalgo-c 0:monje-a 0:monje-b")
    alike, twin = (card("monje-a"), 0), (card("monje-a"), 1)
    state = do(replace(state, ship=(alike, alike, twin, state.ship[-1])), TurnUp(card("monje-a")))
    assert GAME.view(state, 0).aboard == (Passenger(card("monje-a"), 0),)
    assert GAME.view(state, 1).aboard == ()
    assert all(card("monje-a") in [one for one, _ in dealt.ship] for dealt in redealt(state, 0))


@given(tables)
@settings(max_examples=20)
def test_every_viewer_sees_every_move_except_a_face_down_card(table: tuple[int, int]) -> None:
    """CANARIAS-SETUP-4, CANARIAS-SHIP-1, CANARIAS-TURN-1"""
    for state, actor, _, move in steps(*table):
        for viewer in (*range(len(state.seats)), None):
            shown = GAME.show_move(move, actor, viewer)
            match move:
                case Load() if viewer != actor:
                    assert shown == Load()
                case DealCard() if viewer != state.turn:
                    assert shown == DealCard(state.turn)
                case StartShip():
                    assert shown == StartShip()
                case _:
                    assert shown == move


@given(tables)
@settings(max_examples=10)
def test_a_move_without_its_card_cannot_be_made(table: tuple[int, int]) -> None:
    for state, actor, listed, move in steps(*table):
        shown = GAME.show_move(move, actor, None)
        assert shown is not None
        if shown != move:
            assert shown not in listed
            with pytest.raises(MalformedMove):
                GAME.apply(state, actor, shown)
            with pytest.raises(MalformedMove):
                CODEC.move_from_proto(CODEC.move_to_proto(shown))


def test_a_hidden_card_is_absent_on_the_wire() -> None:
    """CANARIAS-SETUP-4, CANARIAS-SHIP-1"""
    assert CODEC.move_to_proto(Load()) == pb.Move(load=pb.Load())
    assert CODEC.move_to_proto(DealCard(0)) == pb.Move(deal_card=pb.DealCard(seat=0))
    assert CODEC.move_to_proto(StartShip()) == pb.Move(start_ship=pb.StartShip())
    assert not CODEC.move_to_proto(Load()).load.HasField("card")


RENEWED = """
    round: 2 | start 0
    ship: hidalgo-c
    deck: monje-a
    seat 0 on island 1: segador-a segador-b
    seat 1 on island 2: cantero-a cantero-b
    seat 2 on island 3: tejedor-a tejedor-b
"""


def renewed() -> State:
    """Return a game in which seat 0 has drawn one card of the old deck and two of the new one."""
    state = do(position(RENEWED, seats=3), Draw(), DealCard(0, card("monje-a")))
    return do(state, DealCard(0, card("pastor-a")), DealCard(0, card("pastor-b")))


def test_every_seat_knows_the_cards_of_a_renewed_deck() -> None:
    """CANARIAS-TURN-4: what was in hands or on the ship when the discard pile was shuffled is there still."""
    state = renewed()
    away = set(cards("segador-a segador-b cantero-a cantero-b tejedor-a tejedor-b hidalgo-c monje-a"))
    for viewer in (0, 1, 2, None):
        for twin in redealt(state, viewer):
            assert not away & set(twin.deck)
            assert all(set(twin.seats[me].hand) <= away for me in (1, 2))
            assert twin.ship[0][0] in away
            assert sum(one not in away for one in twin.seats[0].hand) == 2


def test_within_that_everything_is_dealt_anew() -> None:
    """CANARIAS-TURN-4"""
    state = renewed()
    away = set(cards("cantero-a cantero-b tejedor-a tejedor-b hidalgo-c"))
    seen: Counter[int] = Counter()
    for twin in redealt(state, 0, 200):
        assert {*twin.seats[1].hand, *twin.seats[2].hand, twin.ship[0][0]} == away
        seen.update(twin.seats[1].hand)
    assert set(seen) == away
    assert max(seen.values()) < 2 * min(seen.values()), "each card is about as likely as any other"


def test_a_card_loaded_after_that_may_be_an_old_or_a_new_one() -> None:
    """CANARIAS-SHIP-1, CANARIAS-TURN-4"""
    state = do(renewed(), Load(card("pastor-a")))
    old = set(cards("segador-a segador-b monje-a cantero-a cantero-b tejedor-a tejedor-b hidalgo-c"))
    loaded = [twin.ship[1][0] for twin in redealt(state, 1, 200)]
    assert {one in old for one in loaded} == {True, False}
    for twin in redealt(state, 1):
        assert sum(one not in old for one in (*twin.seats[0].hand, twin.ship[1][0])) == 2


def test_the_last_hidden_card_is_known_by_counting() -> None:
    state = position(
        """
        deck:
        discard:
        rest: 0
        seat 1 on island 2: segador-a
        """
    )
    known = do(position("deck:\ndiscard:\nrest: 0\nship: monje-a"), Draw())
    assert len(known.seats[0].hand) == 59
    assert all(twin == known for twin in redealt(known, 0))
    assert {(twin.seats[1].hand, twin.ship) for twin in redealt(state, 0)} == {
        (cards("segador-a"), ((card("hidalgo-c"), NO_SEAT),)),
        (cards("hidalgo-c"), ((card("segador-a"), NO_SEAT),)),
    }


@pytest.mark.parametrize("viewer", [1, None])
def test_the_extra_card_of_another_seat_is_dealt_anew_with_its_hand(viewer: Viewer) -> None:
    """CANARIAS-PRIV-CARD, CANARIAS-TURN-2: it can be any card that the seat may just have drawn."""
    state = position("privileges: beige 0\nseat 0 on island 1: segador-a pirate-red")
    state = do(state, TakeExtra(), DealCard(0, card("monje-a")))
    assert state.extra == card("monje-a")
    extras = {twin.extra for twin in redealt(state, viewer)}
    assert len(extras) > DRAWN // 2
    assert all(twin.extra in twin.seats[0].hand for twin in redealt(state, viewer))
    assert {twin.extra for twin in redealt(state, 0)} == {card("monje-a")}
