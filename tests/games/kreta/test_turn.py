from __future__ import annotations

import pytest

from skerry_games.api import CHANCE, MalformedMove
from skerry_games.kreta import GAME
from skerry_games.kreta.events import CardPlayed
from skerry_games.kreta.moves import (
    HALT,
    BuildFort,
    Harvest,
    KeepFort,
    PlaceAbbot,
    PlaceShip,
    PlayCard,
    Recruit,
    ReplaceFort,
    TurnUpFort,
)
from skerry_games.kreta.state import KretaCard
from tests.games.kreta.acting import choices, do, happens, refused
from tests.games.kreta.drawing import at, position


def test_a_turn_is_one_card_and_its_action_then_the_next_seat_clockwise() -> None:
    """KRETA-TURN-1"""
    state = position(seats=3)
    for seat in (0, 1, 2, 0):
        assert GAME.to_act(state) == (seat,)
        card = KretaCard.ABBOT if state.seats[seat].abbot == 0 else KretaCard.ARCHITECT
        state, events = happens(state, PlayCard(card))
        assert events == (CardPlayed(seat, card, None),)
        assert GAME.to_act(state) == (seat,)
        state = do(state, choices(state)[0])


def test_a_played_card_lies_on_the_table_and_cannot_be_played_again() -> None:
    """KRETA-TURN-1"""
    state = position("seat 0: table abbot")
    assert refused(state, PlayCard(KretaCard.ABBOT)) == "KRETA-TURN-1"
    assert GAME.view(state, 1).seats[0].table == (KretaCard.ABBOT,)


@pytest.mark.parametrize("card", KretaCard)
def test_the_number_of_a_card_plays_that_card(card: KretaCard) -> None:
    """KRETA-TURN-1: a move with the number is equal to the one that is listed."""
    state = position("seat 0: table abbot")
    copied = KretaCard.ABBOT if card is KretaCard.KING else None
    by_number = PlayCard(int(card), copied and int(copied))  # type: ignore[arg-type]
    assert by_number == PlayCard(card, copied)
    if by_number in choices(state):
        after, events = happens(state, by_number)
        assert (repr(after), repr(events)) == tuple(map(repr, happens(state, PlayCard(card, copied))))
    else:
        assert refused(state, by_number) == refused(state, PlayCard(card, copied))


@pytest.mark.parametrize("move", [PlayCard(0), PlayCard(8), PlayCard(KretaCard.KING, 0)])  # type: ignore[arg-type]
def test_what_is_no_card_is_malformed(move: PlayCard) -> None:
    """KRETA-SETUP-3"""
    with pytest.raises(MalformedMove):
        GAME.apply(position("seat 0: table abbot"), 0, move)


def test_only_the_seat_whose_turn_it_is_may_act() -> None:
    """KRETA-TURN-1"""
    state = position("turn: 1")
    for stranger in (0, 2, CHANCE):
        assert refused(state, PlayCard(KretaCard.ABBOT), actor=stranger) == "KRETA-TURN-1"
        assert GAME.legal_moves(state, stranger) == ()


def test_a_card_comes_before_its_action() -> None:
    """KRETA-TURN-1"""
    assert refused(position(), Recruit(at("KIS"))) == "KRETA-TURN-1"
    assert refused(position(), HALT) == "KRETA-TURN-1"


def test_the_action_is_that_of_the_card() -> None:
    """KRETA-TURN-1"""
    state = position("turn: 0 commander")
    for move in (
        PlaceShip(at("KYD")),
        PlaceAbbot(at("KYD")),
        BuildFort(1),
        Harvest(at("KYD")),
        PlayCard(KretaCard.ABBOT),
    ):
        assert refused(state, move) == "KRETA-TURN-1"


def test_fort_cards_are_kept_or_replaced_only_after_a_scoring() -> None:
    """KRETA-CASTELLAN-3"""
    assert refused(position(), KeepFort(14)) == "KRETA-CASTELLAN-3"
    assert refused(position("turn: 0 abbot"), ReplaceFort(14)) == "KRETA-CASTELLAN-3"


def test_while_a_fort_card_awaits_its_decision_no_card_is_played() -> None:
    """KRETA-TURN-1"""
    state = do(position(), PlayCard(KretaCard.CASTELLAN), TurnUpFort(3))
    assert refused(state, PlayCard(KretaCard.ABBOT)) == "KRETA-TURN-1"


def test_a_card_without_an_action_that_changes_the_board_may_not_be_played() -> None:
    """KRETA-TURN-2: nothing to harvest, so no farmer."""
    state = position()
    assert PlayCard(KretaCard.FARMER) not in choices(state)
    assert refused(state, PlayCard(KretaCard.FARMER)) == "KRETA-TURN-2"


def test_an_architect_with_neither_fort_nor_tile_may_not_be_played() -> None:
    """KRETA-TURN-2"""
    state = position(
        """
        fort 1: 0
        fort 2: 0
        fort 3: 0
        """
    )
    assert refused(state, PlayCard(KretaCard.ARCHITECT)) == "KRETA-TURN-2"
    assert PlayCard(KretaCard.ARCHITECT) in choices(position("fort 1: 0"))


def test_a_commander_whose_villagers_are_shut_in_may_not_be_played() -> None:
    """KRETA-TURN-2: all five villagers stand in Sitia, and all its neighbours hold 7 figures."""
    shut_in = """
        SIT: vvvvv0
        MIR: A1 vvv1 VVV1
        LAS: A2 vv1 VVVV2
        IER: A3 vvv2 VVV3
        """
    state = position(shut_in, seats=4)
    assert refused(state, PlayCard(KretaCard.COMMANDER)) == "KRETA-TURN-2"
    assert PlayCard(KretaCard.COMMANDER) in choices(position(shut_in.replace("VVV3", "VV3"), seats=4))


def test_a_commander_whose_villagers_can_only_pass_a_peaceful_province_may_be_played() -> None:
    """KRETA-TURN-2: the neighbours of Sitia are closed, but the provinces behind Lasithi are open."""
    state = position(
        """
        SIT: vvvvv0
        MIR: A1 vvv1 VVV1
        LAS: A2
        IER: A3 vvv2 VVV3
        """,
        seats=4,
    )
    assert PlayCard(KretaCard.COMMANDER) in choices(state)


def test_an_abbot_that_finds_only_crowded_provinces_may_not_be_played() -> None:
    """KRETA-TURN-2. A map that crowds every province within 3 needs more figures than there are, hence by hand."""
    state = position("SIT: A0")
    everywhere_else = sum(7 << 4 * number for number in range(16)) - (6 << 4 * at("SIT"))
    crammed = state.__class__(
        phase=state.phase, turn=0, seats=state.seats, figures=everywhere_else, tiles=state.tiles, row=state.row
    )
    assert refused(crammed, PlayCard(KretaCard.ABBOT)) == "KRETA-TURN-2"


def test_a_seat_that_plays_a_card_must_act() -> None:
    """KRETA-TURN-2: no move of an action ends it without a change."""
    for card in ("architect", "admiral", "commander", "abbot"):
        state = position(f"turn: 0 {card}\nKYD: A0 v0 | ship 0")
        assert HALT not in choices(state)
        for move in choices(state):
            assert do(state, move).seats[0] != state.seats[0]


def test_the_castellan_can_always_be_played() -> None:
    """KRETA-TURN-3: it alone is left, and still there is a legal card."""
    state = position("seat 0: table king architect admiral commander abbot farmer")
    assert choices(state) == (PlayCard(KretaCard.CASTELLAN),)
