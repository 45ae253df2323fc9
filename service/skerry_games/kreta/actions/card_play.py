"""Playing a card: which cards are playable, which card a king copies, and which module lists its action."""

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
from skerry_games.sentences import phrase

_KING_BIT: Final = 1 << KretaCard.KING
_CARDS: Final = {card: card for card in KretaCard}
"""The card for each card or plain number. A number equals its card, but has no name."""

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
# The castellan always scores. The admiral always has a harbour: the other seats fill at most 3 of 7 harbours (2 with
# two seats), and the seat's own ships are in at most 2.
_ALWAYS_ABLE: Final = 1 << KretaCard.CASTELLAN | 1 << KretaCard.ADMIRAL


def able_cards(state: State, me: int, cards: int) -> int:
    """Return the cards of a bit set whose action could change the board now (KRETA-TURN-2), in hand or on the table."""
    able = cards & _ALWAYS_ABLE
    for bit, can_act in _CHECKS:
        if cards & bit and can_act(state, me):
            able |= bit
    return able


@lru_cache(maxsize=1 << 12)
def _plays(hand: int, able: int) -> tuple[PlayCard, ...]:
    """Return the playable cards of that hand. A king is listed once per card that it can copy."""
    plays = tuple(PlayCard(card) for card in KretaCard if hand & able & 1 << card)
    if not hand & _KING_BIT:
        return plays
    # KRETA-KING-1, KRETA-KING-2: neither the castellan nor this king is on the table.
    return plays + tuple(PlayCard(KING, card) for card in KretaCard if able & ~hand & 1 << card)


def play_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the cards that the seat can play. The castellan is always one of them (KRETA-TURN-3)."""
    hand = state.seats[me].hand
    # Cards on the table matter only to a seat that has its king in hand.
    return _plays(hand, able_cards(state, me, FULL_HAND if hand & _KING_BIT else hand))


def action_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the legal moves of the card whose action is being carried out."""
    assert state.action is not None
    return _ACTION_MOVES[state.action](state, me)


def play_card(state: State, me: int, move: PlayCard) -> Step[State, Event]:
    """Play a card. Raises IllegalMove (KRETA-TURN-1, KRETA-TURN-2, KRETA-KING-1, KRETA-KING-2) or MalformedMove."""
    card, copied = _named(move)
    hand = state.seats[me].hand
    if refusal := _refuse_card(state, me, hand, card, copied):
        raise refusal
    seats = with_seat(state, me, replace(state.seats[me], hand=hand & ~(1 << card)))
    event = CardPlayed(me, card, copied)
    if card is CASTELLAN:
        scored, events = score_fort(replace(state, seats=seats))
        return scored, (event, *events)
    return replace(state, phase=ACTION, seats=seats, action=copied or card), (event,)


def _named(move: PlayCard) -> tuple[KretaCard, KretaCard | None]:
    """Return the card of a move and the copied card. Raises MalformedMove if either is not a card."""
    try:
        return _CARDS[move.card], None if move.copied is None else _CARDS[move.copied]
    except (KeyError, TypeError):
        raise MalformedMove("The move names an unknown character card.") from None


def _refuse_card(state: State, me: int, hand: int, card: KretaCard, copied: KretaCard | None) -> IllegalMove | None:
    """Return the refusal of that card, or ``None`` if it can be played."""
    if not hand & 1 << card:
        return IllegalMove("KRETA-TURN-1", phrase("kreta-card-table-not-hand", card=_name(card)))
    if card is KING:
        return _refuse_copy(state, me, hand, copied)
    if copied is not None:
        return IllegalMove("KRETA-KING-1", phrase("kreta-only-king-copies-another", card=_name(card)))
    if not _can_act(state, me, card):
        return IllegalMove("KRETA-TURN-2", phrase("kreta-card-has-no-action", card=_name(card)))
    return None


def _refuse_copy(state: State, me: int, hand: int, copied: KretaCard | None) -> IllegalMove | None:
    """Return the refusal of a king that copies that card, or ``None`` if it can."""
    if hand == FULL_HAND:
        return IllegalMove("KRETA-KING-2", "You have no card on the table that your king could copy.")
    if copied is None:
        return IllegalMove("KRETA-KING-1", "Name the card on the table that your king copies.")
    if copied in (KING, CASTELLAN):
        return IllegalMove("KRETA-KING-2", phrase("kreta-king-cannot-copy", copied=_name(copied)))
    if hand & 1 << copied:
        return IllegalMove("KRETA-KING-1", phrase("kreta-card-hand-king-copies", copied=_name(copied)))
    if not _can_act(state, me, copied):
        sentence = phrase("kreta-as-king-has-no", copied=_name(copied))
        return IllegalMove("KRETA-KING-2", sentence)
    return None


def _can_act(state: State, me: int, card: KretaCard) -> bool:
    """Return whether that card has an action that would change the board now (KRETA-TURN-2)."""
    return _ALWAYS_ABLE >> card & 1 == 1 or _CAN_ACT[card](state, me)


def _name(card: KretaCard) -> str:
    return card.name.lower()
