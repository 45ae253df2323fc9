"""The totals that the conformance suite compares: pieces of a state, and points of an event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from skerry_games.tenerife import events
from skerry_games.tenerife.events import Event
from skerry_games.tenerife.state import CHARACTER, NO_SEAT, Character, State, hall_round

_SCORING: Final = (
    events.MansionBuilt,
    events.WarehouseExported,
    events.MerchantMoved,
    events.MerchantRobbed,
    events.HallScored,
)


def count_pieces(state: State) -> dict[str, int]:
    """Return the totals on the board, in supplies, in hands and below the column, for all seats."""
    return {
        **{f"mansions of seat {seat}": _mansions(state, seat) for seat in range(len(state.seats))},
        **{f"cards of seat {seat}": _cards(state, seat) for seat in range(len(state.seats))},
        **{f"{kind.name.lower()} cards": _characters(state, kind) for kind in Character},
        "spaces": state.vacant.bit_count() + sum(owner != NO_SEAT for owner in state.owners),
        "plots of the Town Hall": len(state.hall),
        "town cards": state.undrawn.bit_count() + state.round - hall_round(state),
    }


def points_of(event: Event) -> Mapping[int, int]:
    """Return the points that the event gives to seats."""
    return {event.seat: event.points} if isinstance(event, _SCORING) else {}


def _mansions(state: State, seat: int) -> int:
    on_board = [*state.towns, *state.storage, state.hall]
    # A supply below zero would otherwise hide a mansion too many on the board.
    return max(0, state.seats[seat].mansions) + sum(owners.count(seat) for owners in on_board)


def _cards(state: State, seat: int) -> int:
    return len(state.seats[seat].hand) + state.owners.count(seat)


def _characters(state: State, kind: Character) -> int:
    hands = [card for seat in state.seats for card in seat.hand]
    return sum(card is not None and CHARACTER[card] is kind for card in [*hands, *state.cards])
