"""The view and the descriptions of Pairs."""

from __future__ import annotations

from msgspec.structs import replace

from skerry_games.sentences import player
from tests.games.pairs.state import (
    NO_CARD,
    Buried,
    Bury,
    Deal,
    Dealt,
    Event,
    Laid,
    Lay,
    Move,
    Revealed,
    Scored,
    State,
    View,
)


def view(state: State, viewer: int | None) -> View:
    """Return what a viewer sees."""
    return View(
        stage=state.stage,
        round=state.round,
        hand=() if viewer is None else state.hands[viewer],
        laid=NO_CARD if viewer is None else state.laid[viewer],
        buried=() if viewer is None else state.buried[viewer],
        hand_sizes=tuple(map(len, state.hands)),
        has_laid=tuple(card != NO_CARD for card in state.laid),
        buried_sizes=tuple(map(len, state.buried)),
        deck_size=len(state.deck),
        shown=state.shown,
        scores=state.scores,
    )


def show(event: Event, viewer: int | None) -> Event:
    """Return the event. Masks the card if it is a secret of another seat."""
    if isinstance(event, Dealt | Laid | Buried) and event.seat != viewer:
        return replace(event, card=NO_CARD)
    return event


def say_move(move: Move) -> str:
    """Return the move in words."""
    if isinstance(move, Deal | Lay | Bury):
        verb = type(move).__name__.lower()
        return f"{verb} a card" if move.card == NO_CARD else f"{verb} the {move.card}"
    return "stay"


def say(event: Event) -> str:
    """Return the event as a sentence."""
    if isinstance(event, Revealed):
        return f"The cards are turned up: {', '.join(map(str, event.cards))}."
    if isinstance(event, Scored):
        return f"{player(event.seat)} scores {event.points}."
    if isinstance(event, Dealt | Laid | Buried):
        verb = {Dealt: "is dealt", Laid: "lays", Buried: "buries"}[type(event)]
        return f"{player(event.seat)} {verb} {'a card' if event.card == NO_CARD else f'a {event.card}'}."
    return f"{player(event.seat)} stays."


def show_move(move: Move, actor: int, viewer: int | None) -> Move:
    """Return the move. Masks the card if another actor laid, buried or dealt it."""
    return replace(move, card=NO_CARD) if isinstance(move, Deal | Lay | Bury) and actor != viewer else move
