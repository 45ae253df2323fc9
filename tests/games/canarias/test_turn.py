from __future__ import annotations

import pytest

from skerry_games.api import CHANCE_ACTS, MalformedMove
from skerry_games.canarias import GAME
from skerry_games.canarias.events import (
    CardDrawn,
    CardLoaded,
    DeckRenewed,
    DrawingBegun,
    HousePlaced,
    NothingLoaded,
    SettlerPlayed,
    ShipArrived,
    TurnBegun,
)
from skerry_games.canarias.moves import Build, BuildPalace, DealCard, Draw, Load, Place, TakeExtra, TurnUp
from skerry_games.canarias.state import Phase, State, loaders
from tests.games.canarias.acting import choices, do, events_of, happens, refused
from tests.games.canarias.drawing import card, cards, drawn, lies, position, sq

PIRATE = card("pirate-red")
HAND = "seat 0 on island 1: segador-a cantero-b"

FULL = """
    seat 0 on island 1: segador-a cantero-b
      r  R  #  #  o  ~
      R  O  g  n  b  e
      O  o  =  =  G  ~
"""
FULL_OF_PALACES = FULL.replace("r ", "R ").replace("o ", "O ").replace("g ", "G ")


def deal(state: State, *names: str) -> State:
    return do(state, *(DealCard(state.turn, card(name)) for name in names))


def test_a_turn_is_a_house_and_a_card_for_the_ship() -> None:
    """CANARIAS-TURN-1"""
    state, (played,) = happens(position(HAND), Build(card("segador-a")))
    assert played == SettlerPlayed(0, card("segador-a"))
    state = do(state, Place(sq("B3")))
    assert GAME.to_act(state) == (0,)
    assert choices(state) == (Load(card("cantero-b")),)
    state, events = happens(state, Load(card("cantero-b")))
    assert events == (CardLoaded(0, card("cantero-b")), TurnBegun(1, 1))
    assert GAME.to_act(state) == (1,)


def test_a_turn_is_three_cards_and_one_of_them_for_the_ship() -> None:
    """CANARIAS-TURN-1"""
    state, events = happens(position(HAND), Draw())
    assert events == (DrawingBegun(0, 3),)
    assert GAME.to_act(state) == CHANCE_ACTS
    state = deal(state, "monje-a", "monje-b", "pirate-red")
    assert state.seats[0].hand == cards("segador-a cantero-b monje-a monje-b pirate-red")
    assert set(choices(state)) == {Load(number) for number in state.seats[0].hand}


def test_building_drawing_and_loading_have_their_order() -> None:
    """CANARIAS-TURN-1"""
    state = position(HAND)
    assert refused(state, Load(card("segador-a"))) == "CANARIAS-TURN-1"
    loading = position("turn: 0 load\n" + HAND)
    assert refused(loading, Build(card("segador-a"))) == "CANARIAS-TURN-1"
    assert refused(loading, Draw()) == "CANARIAS-TURN-1"
    assert refused(loading, Load(card("monje-a"))) == "CANARIAS-TURN-1"
    assert refused(state, Build(card("monje-a"))) == "CANARIAS-TURN-1"
    assert refused(state, Place(0)) == "CANARIAS-TURN-1"
    assert refused(state, Draw(), actor=1) == "CANARIAS-TURN-1"
    for stranger in (Load(60), Load(-1), Load()):
        with pytest.raises(MalformedMove):
            GAME.apply(loading, 0, stranger)


@pytest.mark.parametrize("hand", ["", "segador-a", "pirate-red", "pirate-red pirate-blue"])
def test_a_seat_that_begins_with_too_few_cards_or_pirates_only_must_draw(hand: str) -> None:
    """CANARIAS-TURN-2: the game still asks for the move, so that it does not reveal the hand."""
    state = position(f"seat 0 on island 1: {hand}")
    assert choices(state) == (Draw(),)
    if hand == "segador-a":
        assert refused(state, Build(card("segador-a"))) == "CANARIAS-TURN-2"


def test_a_settler_and_a_pirate_are_enough_to_build() -> None:
    """CANARIAS-TURN-2"""
    state = position("seat 0 on island 1: segador-a pirate-red")
    assert choices(state) == (Build(card("segador-a")), Draw())


@pytest.mark.parametrize("hand", ["segador-a", "pirate-red pirate-blue"])
def test_an_extra_card_does_not_free_from_having_to_draw(hand: str) -> None:
    """CANARIAS-TURN-2"""
    state = position(f"privileges: beige 0\nseat 0 on island 1: {hand}")
    state = deal(do(state, TakeExtra()), "monje-a")
    assert choices(state) == (Draw(),)
    assert refused(state, Build(card("monje-a"))) == "CANARIAS-TURN-2"


def test_an_extra_card_can_be_built() -> None:
    """CANARIAS-TURN-2, CANARIAS-PRIV-CARD"""
    rich = deal(do(position(f"privileges: beige 0\n{HAND}"), TakeExtra()), "monje-a")
    assert Build(card("monje-a")) in choices(rich)


def test_the_card_of_a_house_goes_face_up_on_the_discard_pile() -> None:
    """CANARIAS-TURN-3"""
    state = do(position(HAND), Build(card("segador-a")))
    assert GAME.view(state, 1).discard == cards("segador-a")
    assert state.seats[0].hand == cards("cantero-b")


def test_the_discard_pile_becomes_the_deck_when_a_card_is_wanted() -> None:
    """CANARIAS-TURN-4"""
    state = do(position(f"deck: monje-a\n{HAND}"), Draw())
    assert GAME.view(state, None).deck == 1
    state, events = happens(state, DealCard(0, card("monje-a")))
    assert events == (CardDrawn(0, card("monje-a")), DeckRenewed(56))
    assert (len(state.deck), state.discard) == (56, ())
    assert {move.card for move in choices(state) if isinstance(move, DealCard)} == set(state.deck)


def test_the_discard_pile_stays_until_a_card_is_wanted() -> None:
    """CANARIAS-TURN-4"""
    state = do(position(f"deck: monje-a monje-b monje-c\n{HAND}"), Draw())
    state = deal(state, "monje-a", "monje-b", "monje-c")
    assert (len(state.deck), len(state.discard), state.phase) == (0, 54, Phase.LOAD)
    renewed, events = happens(do(state, Load(card("monje-a"))), Draw())
    assert events == (DrawingBegun(1, 3), DeckRenewed(54))
    assert len(renewed.deck) == 54


def test_when_both_piles_are_empty_there_is_less_to_draw() -> None:
    """CANARIAS-TURN-4"""
    state = position(f"deck: monje-a\ndiscard: monje-b\nrest: 1\n{HAND}")
    assert events_of(DrawingBegun, state, Draw()) == [DrawingBegun(0, 2)]
    state = deal(do(state, Draw()), "monje-a", "monje-b")
    assert (state.phase, len(state.seats[0].hand)) == (Phase.LOAD, 4)


def test_a_seat_without_a_card_to_draw_loads_none() -> None:
    """CANARIAS-TURN-4"""
    state = position("deck:\ndiscard:\nrest: 1\nseat 0 on island 1:")
    state, events = happens(state, Draw())
    assert events == (DrawingBegun(0, 0), NothingLoaded(0), TurnBegun(1, 1))
    assert (len(state.ship), loaders(state)) == (1, 0)


def test_there_is_no_limit_to_a_hand() -> None:
    """CANARIAS-TURN-4"""
    state = position("turn: 1\ndeck: monje-a monje-b monje-c\ndiscard:\nrest: 1")
    assert len(deal(do(state, Draw()), "monje-a", "monje-b", "monje-c").seats[1].hand) == 59


def test_a_full_island_cannot_be_built_on() -> None:
    """CANARIAS-TURN-5"""
    state = position(FULL_OF_PALACES)
    assert choices(state) == (Draw(),)
    assert refused(state, Build(card("segador-a"))) == "CANARIAS-TURN-5"


def test_a_palace_makes_room_on_a_full_island() -> None:
    """CANARIAS-TURN-5, CANARIAS-PALACE-1"""
    state = position(FULL)
    assert Build(card("segador-a")) not in choices(state)
    state = do(state, BuildPalace((sq("A5"), sq("C2"))), Place(sq("A5")))
    assert Build(card("segador-a")) in choices(state)
    (house,) = events_of(HousePlaced, state, Build(card("segador-a")))
    assert (house.square, house.automatic) == (sq("C2"), True)


def test_a_card_goes_on_the_ship_face_down() -> None:
    """CANARIAS-SHIP-1"""
    state = do(position(f"turn: 0 load\n{HAND}"), Load(card("segador-a")))
    assert GAME.view(state, 1).ship == 2
    assert GAME.view(state, 1).seats[0].loaded
    assert not GAME.view(state, 1).seats[1].loaded


def test_the_ship_arrives_after_the_turn_of_every_seat() -> None:
    """CANARIAS-TURN-1, CANARIAS-ARRIVE-1"""
    state = position(
        """
        turn: 0 load
        round: 2 | start 1
        ship: hidalgo-c 1:monje-a
        seat 0 on island 1: segador-a cantero-b
        """
    )
    state, events = happens(state, Load(card("cantero-b")))
    assert events == (CardLoaded(0, card("cantero-b")), ShipArrived(3))
    assert set(choices(state)) == {TurnUp(number) for number in cards("hidalgo-c monje-a cantero-b")}


def test_pirates_are_loaded_but_build_nothing() -> None:
    """CANARIAS-PIRATE-1"""
    state = position("seat 0 on island 1: segador-a pirate-red")
    assert refused(state, Build(PIRATE)) == "CANARIAS-PIRATE-1"
    loading = position("turn: 0 load\nseat 0 on island 1: segador-a pirate-red")
    assert Load(PIRATE) in choices(loading)


def test_a_settler_goes_where_it_is_drawn() -> None:
    """CANARIAS-BUILD-1"""
    state = do(position(HAND), Build(card("segador-a")), Place(sq("C2")))
    assert drawn(state, 0) == lies(
        """
        .  .  #  #  .  ~
        .  .  .  .  .  .
        .  r  =  =  .  ~
        """
    )
