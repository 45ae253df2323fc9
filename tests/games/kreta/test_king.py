from __future__ import annotations

from skerry_games.kreta import GAME
from skerry_games.kreta.events import CardPlayed
from skerry_games.kreta.moves import PlayCard, Recruit
from skerry_games.kreta.state import KretaCard
from tests.games.kreta.acting import choices, do, happens, refused
from tests.games.kreta.drawing import at, position


def king(card: KretaCard | None) -> PlayCard:
    return PlayCard(KretaCard.KING, card)


def test_the_king_acts_as_a_card_on_the_table() -> None:
    """KRETA-KING-1"""
    state = position("seat 0: table commander abbot\nseat 1: table admiral")
    assert {move for move in choices(state) if isinstance(move, PlayCard) and move.card is KretaCard.KING} == {
        king(KretaCard.COMMANDER),
        king(KretaCard.ABBOT),
    }
    state, events = happens(state, king(KretaCard.COMMANDER))
    assert events == (CardPlayed(0, KretaCard.KING, KretaCard.COMMANDER),)
    view = GAME.view(state, None)
    assert view.action is KretaCard.COMMANDER
    assert view.seats[0].table == (KretaCard.KING, KretaCard.COMMANDER, KretaCard.ABBOT)
    assert GAME.to_act(do(state, Recruit(at("KIS")))) == (1,)


def test_the_king_does_not_act_as_a_card_in_the_hand_or_of_another_seat() -> None:
    """KRETA-KING-1"""
    state = position("seat 0: table commander\nseat 1: table admiral")
    assert refused(state, king(KretaCard.ADMIRAL)) == "KRETA-KING-1"
    assert refused(state, king(None)) == "KRETA-KING-1"


def test_only_the_king_acts_as_another_card() -> None:
    """KRETA-KING-1"""
    state = position("seat 0: table commander")
    assert refused(state, PlayCard(KretaCard.ADMIRAL, KretaCard.COMMANDER)) == "KRETA-KING-1"


def test_without_a_card_on_the_table_there_is_no_king() -> None:
    """KRETA-KING-2"""
    state = position()
    assert not any(isinstance(move, PlayCard) and move.card is KretaCard.KING for move in choices(state))
    assert refused(state, king(KretaCard.COMMANDER)) == "KRETA-KING-2"
    assert refused(state, king(None)) == "KRETA-KING-2"


def test_without_a_card_on_the_table_that_can_act_there_is_no_king() -> None:
    """KRETA-KING-2"""
    state = position("seat 0: table farmer")
    assert refused(state, king(KretaCard.FARMER)) == "KRETA-KING-2"


def test_the_king_never_acts_as_castellan_or_king() -> None:
    """KRETA-KING-2"""
    state = position("seat 0: table commander")
    assert refused(state, king(KretaCard.CASTELLAN)) == "KRETA-KING-2"
    assert refused(state, king(KretaCard.KING)) == "KRETA-KING-2"


def test_a_played_king_lies_on_the_table() -> None:
    """KRETA-TURN-1"""
    assert refused(position("seat 0: table king abbot"), king(KretaCard.ABBOT)) == "KRETA-TURN-1"
