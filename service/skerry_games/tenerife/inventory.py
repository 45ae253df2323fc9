"""How much there is of everything, wherever it lies. Constant from setup to the end."""

from __future__ import annotations

from skerry_games.tenerife.state import CHARACTER, NOBODY, Character, State, hall_round


def pieces(state: State) -> dict[str, int]:
    """Return the totals on the board, in supplies, in hands and below the column, of all seats together."""
    return {
        **{f"mansions of seat {seat}": _mansions(state, seat) for seat in range(len(state.seats))},
        **{f"cards of seat {seat}": _cards(state, seat) for seat in range(len(state.seats))},
        **{f"{kind.name.lower()} cards": _characters(state, kind) for kind in Character},
        "spaces": state.vacant.bit_count() + sum(owner != NOBODY for owner in state.owners),
        "plots of the Town Hall": len(state.hall),
        "town cards": state.undrawn.bit_count() + state.round - hall_round(state),
    }


def _mansions(state: State, seat: int) -> int:
    on_board = [*state.towns, *state.storage, state.hall]
    # A supply below zero would otherwise hide a mansion too many on the board.
    return max(0, state.seats[seat].mansions) + sum(owners.count(seat) for owners in on_board)


def _cards(state: State, seat: int) -> int:
    return len(state.seats[seat].hand) + state.owners.count(seat)


def _characters(state: State, kind: Character) -> int:
    hands = [card for seat in state.seats for card in seat.hand]
    return sum(card is not None and CHARACTER[card] is kind for card in [*hands, *state.cards])
