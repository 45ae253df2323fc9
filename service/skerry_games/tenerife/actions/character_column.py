"""Reading the character column: who lies where, what thieves lie behind, and whose decision it is."""

from __future__ import annotations

from msgspec.structs import replace

from skerry_games.api import IllegalMove, Step
from skerry_games.sentences import player
from skerry_games.tenerife.events import Event, NoEffect, Reason
from skerry_games.tenerife.state import ACTIVATE, CHARACTER, THIEVES, Character, Phase, State


def owner_at(state: State, space: int) -> int:
    """Return whose card lies below that space."""
    return state.owners[space - 1]


def character_at(state: State, space: int) -> Character:
    """Return which character lies below that space, which must not be vacant."""
    card = state.cards[space - 1]
    assert card is not None
    return CHARACTER[card]


def ahead_of(state: State, space: int) -> int:
    """Return the space of the character in front of the row of thieves that ends there; 0 if there is none."""
    while space and state.cards[space - 1] in THIEVES:
        space -= 1
    return space


def last_behind(state: State, space: int) -> int:
    """Return the space of the last of the thieves in a row directly behind; the same space if there are none."""
    cards = state.cards
    while space < len(cards) and cards[space] in THIEVES:
        space += 1
    return space


def victim_of(state: State, space: int) -> int | None:
    """Return who is robbed by the character below that space; ``None`` if these are no thieves."""
    if state.cards[space - 1] not in THIEVES:
        return None
    return owner_at(state, ahead_of(state, space))


def refuse_victim(rule: str, victim: int | None) -> IllegalMove:
    """Say whom the acting character robs, to who has named another victim in a move, or none."""
    if victim is None:
        return IllegalMove(rule, "Your character robs nobody: your move must not name a victim.")
    return IllegalMove(rule, f"Your thieves rob {player(victim)}: your move has to name seat {victim} as the victim.")


def no_effect(state: State, space: int, reason: Reason) -> Step[State, Event]:
    """Tell that a character has no effect."""
    return state, (NoEffect(space, owner_at(state, space), character_at(state, space), reason),)


def ask(state: State, phase: Phase, space: int) -> Step[State, Event]:
    """Let the owner of the character below that space decide what it does (TENERIFE-ROUND-5)."""
    return replace(state, phase=phase, turn=owner_at(state, space), active=space), ()


def decided(state: State) -> State:
    """Return the state in which the characters go on acting by themselves."""
    return replace(state, phase=ACTIVATE)
