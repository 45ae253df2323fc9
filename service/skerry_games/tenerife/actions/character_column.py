"""Reading the character column: owners, characters, rows of thieves, and decisions of owners."""

from __future__ import annotations

from msgspec.structs import replace

from skerry_games.api import IllegalMove, Step
from skerry_games.sentences import phrase, player
from skerry_games.tenerife.events import Event, NoEffect, Reason
from skerry_games.tenerife.state import ACTIVATE, CHARACTER, THIEVES, Character, Phase, State


def owner_at(state: State, space: int) -> int:
    """Return the owner of the card below that space."""
    return state.owners[space - 1]


def character_at(state: State, space: int) -> Character:
    """Return the character below that space. The space must not be vacant."""
    card = state.cards[space - 1]
    assert card is not None
    return CHARACTER[card]


def ahead_of(state: State, space: int) -> int:
    """Return the space of the character in front of the row of thieves that ends there, or 0."""
    while space and state.cards[space - 1] in THIEVES:
        space -= 1
    return space


def last_behind(state: State, space: int) -> int:
    """Return the space of the last thieves in the row directly behind, or the same space if there are none."""
    cards = state.cards
    while space < len(cards) and cards[space] in THIEVES:
        space += 1
    return space


def victim_of(state: State, space: int) -> int | None:
    """Return the seat that the thieves below that space rob, or ``None`` if no thieves lie there."""
    if state.cards[space - 1] not in THIEVES:
        return None
    return owner_at(state, ahead_of(state, space))


def refuse_victim(rule: str, victim: int | None) -> IllegalMove:
    """Return the refusal of a move that names another victim, or none. ``victim``: the seat that it must name."""
    if victim is None:
        return IllegalMove(rule, "Your character robs no player: the move must not name a victim.")
    return IllegalMove(rule, phrase("tenerife-thieves-rob-move-must", victim=player(victim), victim_2=victim))


def no_effect(state: State, space: int, reason: Reason) -> Step[State, Event]:
    """Return the unchanged state and the event that the character has no effect."""
    return state, (NoEffect(space, owner_at(state, space), character_at(state, space), reason),)


def ask(state: State, phase: Phase, space: int) -> Step[State, Event]:
    """Let the owner of the character below that space decide what it does (TENERIFE-ROUND-5)."""
    return replace(state, phase=phase, turn=owner_at(state, space), active=space), ()


def decided(state: State) -> State:
    """Return the state in which the next characters act."""
    return replace(state, phase=ACTIVATE)
