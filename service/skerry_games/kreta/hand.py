"""Playing a card: which cards can act, what the king copies, and who carries out which action."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from skerry_games.api import IllegalMove, MalformedMove, Step
from skerry_games.kreta.abbot import abbot_moves, can_move_abbot
from skerry_games.kreta.admiral import admiral_moves
from skerry_games.kreta.architect import architect_moves, can_build
from skerry_games.kreta.castellan import score_fort
from skerry_games.kreta.commander import can_recruit_or_march, commander_moves
from skerry_games.kreta.events import CardPlayed, Event
from skerry_games.kreta.farmer import can_harvest, farmer_moves
from skerry_games.kreta.moves import Move, PlayCard
from skerry_games.kreta.state import ACTION, CASTELLAN, FULL_HAND, KING, Card, State, with_seat

_KING_BIT: Final = 1 << Card.KING
_CARDS: Final = frozenset(Card)

_CAN_ACT: Final[dict[Card, Callable[[State, int], bool]]] = {
    Card.ARCHITECT: can_build,
    Card.COMMANDER: can_recruit_or_march,
    Card.ABBOT: can_move_abbot,
    Card.FARMER: can_harvest,
}
_ACTION_MOVES: Final[dict[Card, Callable[[State, int], tuple[Move, ...]]]] = {
    Card.ARCHITECT: architect_moves,
    Card.ADMIRAL: admiral_moves,
    Card.COMMANDER: commander_moves,
    Card.ABBOT: abbot_moves,
    Card.FARMER: farmer_moves,
}
_CHECKS: Final = tuple((1 << card, can_act) for card, can_act in _CAN_ACT.items())
# The castellan always scores. The admiral always finds a harbour: of 7, the others fill at most 3 (with two seats 2),
# and one's own ships lie in at most 2.
_ALWAYS_ABLE: Final = 1 << Card.CASTELLAN | 1 << Card.ADMIRAL


def able_cards(state: State, me: int) -> int:
    """Return the bit set of cards whose action could change the board now (KRETA-TURN-2), wherever they lie."""
    able = _ALWAYS_ABLE
    for bit, can_act in _CHECKS:
        if can_act(state, me):
            able |= bit
    return able


@lru_cache(maxsize=1 << 12)
def _plays(hand: int, able: int) -> tuple[PlayCard, ...]:
    """Return the cards of that hand that can be played, a king once for each card that it can act as."""
    plays = tuple(PlayCard(card) for card in Card if hand & able & 1 << card)
    if not hand & _KING_BIT:
        return plays
    # KRETA-KING-1, KRETA-KING-2: the table never holds the castellan, nor this king.
    return plays + tuple(PlayCard(KING, card) for card in Card if able & ~hand & 1 << card)


def play_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the cards that the seat can play. The castellan is always among them (KRETA-TURN-3)."""
    return _plays(state.seats[me].hand, able_cards(state, me))


def action_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return what the card being carried out can do."""
    assert state.action is not None
    return _ACTION_MOVES[state.action](state, me)


def play_card(state: State, me: int, move: PlayCard) -> Step[State, Event]:
    """Play a card. Raises IllegalMove (KRETA-TURN-1, KRETA-TURN-2, KRETA-KING-1, KRETA-KING-2) or MalformedMove."""
    card, copied = move.card, move.copied
    hand = state.seats[me].hand
    if not _is_offered(hand, card, copied) or not _can_act(state, me, copied or card):
        raise _refuse_card(hand, card, copied)
    seats = with_seat(state, me, replace(state.seats[me], hand=hand & ~(1 << card)))
    told = CardPlayed(me, card, copied)
    if card is CASTELLAN:
        scored, events = score_fort(replace(state, seats=seats))
        return scored, (told, *events)
    return replace(state, phase=ACTION, seats=seats, action=copied or card), (told,)


def _is_offered(hand: int, card: Card, copied: Card | None) -> bool:
    """Return whether the card is in hand and, for a king alone, the copied one on the table."""
    if card is KING:
        return copied in _CARDS and hand & _KING_BIT != 0 and not hand & 1 << copied
    return copied is None and card in _CARDS and hand & 1 << card != 0


def _can_act(state: State, me: int, card: Card) -> bool:
    """Return whether the action of that card could change the board now (KRETA-TURN-2)."""
    return _ALWAYS_ABLE >> card & 1 == 1 or _CAN_ACT[card](state, me)


def _refuse_card(hand: int, card: Card, copied: Card | None) -> IllegalMove:
    """Say which rule forbids to play that card. Raises MalformedMove for what is no card."""
    if card not in _CARDS or copied not in (None, *_CARDS):
        raise MalformedMove("This is not a character card.")
    name = card.name.lower()
    if not hand & 1 << card:
        return IllegalMove("KRETA-TURN-1", f"Your {name} card is not in your hand: it lies on the table.")
    if card is not KING:
        if copied is not None:
            return IllegalMove("KRETA-KING-1", f"Only the king acts as another card: the {name} does not.")
        return IllegalMove("KRETA-TURN-2", f"Your {name} has no action that changes the board now.")
    if hand == FULL_HAND:
        return IllegalMove("KRETA-KING-2", "None of your cards lies on the table for the king to act as.")
    if copied is None:
        return IllegalMove("KRETA-KING-1", "Name the card on the table that your king acts as.")
    if copied in (KING, CASTELLAN):
        return IllegalMove("KRETA-KING-2", f"Your king never acts as the {copied.name.lower()}.")
    if hand & 1 << copied:
        return IllegalMove("KRETA-KING-1", f"Your {copied.name.lower()} card does not lie on the table.")
    return IllegalMove(
        "KRETA-KING-2", f"As the {copied.name.lower()}, your king has no action that changes the board now."
    )
