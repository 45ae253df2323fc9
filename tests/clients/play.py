"""Reproducible games for tests."""

from __future__ import annotations

from random import Random

from skerry_client import Seat, Table

SEED = bytes(range(32))


def play_to_the_end(table: Table, seats: list[Seat], *, stop_after: int | None = None) -> int:
    """Make random moves until the game is over, or ``stop_after`` moves. Return the number of moves."""
    random, moves = Random(7), 0
    while moves != stop_after and (to_act := table.position().to_act):
        seat = seats[to_act[0]]
        seat.act(random.choice(seat.position().legal_moves))
        moves += 1
    return moves
