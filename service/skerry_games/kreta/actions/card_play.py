"""Playing a card: which cards can act, what the king copies, and who carries out which action."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from skerry_games.api import IllegalMove, MalformedMove, Step
from skerry_games.kreta.actions.abbot import abbot_moves, can_move_abbot
from skerry_games.kreta.actions.admiral import admiral_moves
from skerry_games.kreta.actions.architect import architect_moves, can_build
from skerry_games.kreta.actions.castellan import score_fort
from skerry_games.kreta.actions.commander import can_recruit_or_march, commander_moves
from skerry_games.kreta.actions.farmer import can_harvest, farmer_moves
from skerry_games.kreta.events import CardPlayed, Event
from skerry_games.kreta.moves import Move, PlayCard
from skerry_games.kreta.state import ACTION, CASTELLAN, FULL_HAND, KING, KretaCard, State, with_seat

_KING_BIT: Final = 1 << KretaCard.KING
_CARDS: Final = {card: card for card in KretaCard}
"""For each card, or its number, which is equal to it but has no name: the card."""

_CAN_ACT: Final[dict[KretaCard, Callable[[State, int], bool]]] = {
    KretaCard.ARCHITECT: can_build,
    KretaCard.COMMANDER: can_recruit_or_march,
    KretaCard.ABBOT: can_move_abbot,
    KretaCard.FARMER: can_harvest,
}
_ACTION_MOVES: Final[dict[KretaCard, Callable[[State, int], tuple[Move, ...]]]] = {
    KretaCard.ARCHITECT: architect_moves,
    KretaCard.ADMIRAL: admiral_moves,
    KretaCard.COMMANDER: commander_moves,
    KretaCard.ABBOT: abbot_moves,
    KretaCard.FARMER: farmer_moves,
}
_CHECKS: Final = tuple((1 << card, can_act) for card, can_act in _CAN_ACT.items())
# The castellan always scores. The admiral always finds a harbour: of 7, the others fill at most 3 (with two seats 2),
# and one's own ships lie in at most 2.
_ALWAYS_ABLE: Final = 1 << KretaCard.CASTELLAN | 1 << KretaCard.ADMIRAL


def able_cards(state: State, me: int, cards: int) -> int:
    """Return those of a bit set of cards whose action could change the board now (KRETA-TURN-2), wherever they lie."""
    able = cards & _ALWAYS_ABLE
    for bit, can_act in _CHECKS:
        if cards & bit and can_act(state, me):
            able |= bit
    return able


@lru_cache(maxsize=1 << 12)
def _plays(hand: int, able: int) -> tuple[PlayCard, ...]:
    """Return the cards of that hand that can be played, a king once for each card that it can act as."""
    plays = tuple(PlayCard(card) for card in KretaCard if hand & able & 1 << card)
    if not hand & _KING_BIT:
        return plays
    # KRETA-KING-1, KRETA-KING-2: the table never holds the castellan, nor this king.
    return plays + tuple(PlayCard(KING, card) for card in KretaCard if able & ~hand & 1 << card)


def play_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the cards that the seat can play. The castellan is always among them (KRETA-TURN-3)."""
    hand = state.seats[me].hand
    # Without the king it does not matter what the cards on the table could do.
    return _plays(hand, able_cards(state, me, FULL_HAND if hand & _KING_BIT else hand))


def action_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return what the card being carried out can do."""
    assert state.action is not None
    return _ACTION_MOVES[state.action](state, me)


def play_card(state: State, me: int, move: PlayCard) -> Step[State, Event]:
    """Play a card. Raises IllegalMove (KRETA-TURN-1, KRETA-TURN-2, KRETA-KING-1, KRETA-KING-2) or MalformedMove."""
    card, copied = _named(move)
    hand = state.seats[me].hand
    if refusal := _why_not(state, me, hand, card, copied):
        raise refusal
    seats = with_seat(state, me, replace(state.seats[me], hand=hand & ~(1 << card)))
    event = CardPlayed(me, card, copied)
    if card is CASTELLAN:
        scored, events = score_fort(replace(state, seats=seats))
        return scored, (event, *events)
    return replace(state, phase=ACTION, seats=seats, action=copied or card), (event,)


def _named(move: PlayCard) -> tuple[KretaCard, KretaCard | None]:
    """Return the card of a move and the one that it acts as. Raises MalformedMove for what is no card."""
    try:
        return _CARDS[move.card], None if move.copied is None else _CARDS[move.copied]
    except (KeyError, TypeError):
        raise MalformedMove("This is not a character card.") from None


def _why_not(state: State, me: int, hand: int, card: KretaCard, copied: KretaCard | None) -> IllegalMove | None:
    """Return why that card cannot be played, if it cannot."""
    if not hand & 1 << card:
        return IllegalMove("KRETA-TURN-1", f"Your {_name(card)} card is not in your hand: it lies on the table.")
    if card is KING:
        return _why_not_as(state, me, hand, copied)
    if copied is not None:
        return IllegalMove("KRETA-KING-1", f"Only the king acts as another card: the {_name(card)} does not.")
    if not _can_act(state, me, card):
        return IllegalMove("KRETA-TURN-2", f"Your {_name(card)} has no action that changes the board now.")
    return None


def _why_not_as(state: State, me: int, hand: int, copied: KretaCard | None) -> IllegalMove | None:
    """Return why the king cannot act as that card, if it cannot."""
    if hand == FULL_HAND:
        return IllegalMove("KRETA-KING-2", "None of your cards lies on the table for the king to act as.")
    if copied is None:
        return IllegalMove("KRETA-KING-1", "Name the card on the table that your king acts as.")
    if copied in (KING, CASTELLAN):
        return IllegalMove("KRETA-KING-2", f"Your king never acts as the {_name(copied)}.")
    if hand & 1 << copied:
        return IllegalMove("KRETA-KING-1", f"Your {_name(copied)} card does not lie on the table.")
    if not _can_act(state, me, copied):
        sentence = f"As the {_name(copied)}, your king has no action that changes the board now."
        return IllegalMove("KRETA-KING-2", sentence)
    return None


def _can_act(state: State, me: int, card: KretaCard) -> bool:
    """Return whether the action of that card could change the board now (KRETA-TURN-2)."""
    return _ALWAYS_ABLE >> card & 1 == 1 or _CAN_ACT[card](state, me)


def _name(card: KretaCard) -> str:
    return card.name.lower()
