"""Thieves: the characters that they rob or free, and what they take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from skerry_games.api import Step
from skerry_games.tenerife.actions.character_column import ahead_of, character_at, last_behind, no_effect, owner_at
from skerry_games.tenerife.actions.mason import choose_plot, choose_town
from skerry_games.tenerife.actions.roads import nearest_towns
from skerry_games.tenerife.actions.storage import rob_exporter
from skerry_games.tenerife.events import CharacterFreed, CharacterRobbed, Event, MerchantRobbed, Reason
from skerry_games.tenerife.state import NO_SEAT, Character, State, at_hall, with_seat

MERCHANT_POINTS = 2


def effect_of_thieves(state: State, space: int) -> CharacterRobbed | CharacterFreed | None:
    """Return what the thieves directly behind a character do to it, or ``None`` if they do nothing.

    Thieves affect masons, merchants and exporters only (TENERIFE-THIEVES-1, TENERIFE-THIEVES-3), even those that could
    not have acted. The last card of a row of thieves counts (TENERIFE-THIEVES-2).
    """
    character = character_at(state, space)
    if character not in _ROB:
        return None
    last = last_behind(state, space)
    owner, by_seat = owner_at(state, space), owner_at(state, last)
    if by_seat != owner:
        return CharacterRobbed(space, owner, character, by_seat, last)
    return CharacterFreed(space, owner, character, last) if _threatened(state, space, last) else None


def _threatened(state: State, space: int, last: int) -> bool:
    """Return whether thieves of another seat lie between a character and the last thieves behind it."""
    owner = owner_at(state, space)
    return state.owners[space:last].count(owner) < last - space


def act_thieves(state: State, space: int) -> Step[State, Event]:
    """Rob the character in front, or report why these thieves have no effect."""
    ahead = ahead_of(state, space)
    if reason := _reason_for_no_effect(state, space, ahead):
        return no_effect(state, space, reason)
    return _ROB[character_at(state, ahead)](state, space, owner_at(state, ahead))


def _reason_for_no_effect(state: State, space: int, ahead: int) -> Reason | None:
    """Return why these thieves have no effect, else ``None`` (TENERIFE-THIEVES-2, TENERIFE-THIEVES-3)."""
    if not ahead:
        return Reason.NOBODY_AHEAD
    if character_at(state, ahead) is Character.FARMER:
        return Reason.FARMER_AHEAD
    if last_behind(state, space) != space:
        return Reason.THIEVES_BEHIND
    if owner_at(state, ahead) != owner_at(state, space):
        return None
    return Reason.FREED if _threatened(state, ahead, space) else Reason.OWN_AHEAD


def _rob_mason(state: State, space: int, victim: int) -> Step[State, Event]:
    """Build with the mason's material, in the nearest town with a free plot.

    Without such a town, build in the Town Hall (TENERIFE-ROB-MASON-1). In a round of the Town Hall, the hall comes
    first (TENERIFE-ROB-MASON-2).
    """
    if not state.seats[owner_at(state, space)].mansions:
        return no_effect(state, space, Reason.NO_MANSION)
    if not (at_hall(state) and NO_SEAT in state.hall) and (towns := nearest_towns(state)):
        return choose_town(state, space, towns)
    return choose_plot(state, space) if NO_SEAT in state.hall else no_effect(state, space, Reason.NO_PLOT)


def _rob_merchant(state: State, space: int, victim: int) -> Step[State, Event]:
    """Score 2 points (TENERIFE-ROB-MERCHANT-1)."""
    owner = owner_at(state, space)
    seat = state.seats[owner]
    seats = with_seat(state, owner, replace(seat, score=seat.score + MERCHANT_POINTS))
    return replace(state, seats=seats), (MerchantRobbed(space, owner, victim, MERCHANT_POINTS),)


_ROB: Final[dict[Character, Callable[[State, int, int], Step[State, Event]]]] = {
    Character.MASON: _rob_mason,
    Character.MERCHANT: _rob_merchant,
    Character.EXPORTER: rob_exporter,
}
