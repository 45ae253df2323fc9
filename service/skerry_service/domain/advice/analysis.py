"""The analysis of a finished game: its positions, and the moves that changed the chances most.

The game is over, so its secrets are visible: positions are analysed with the full state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import Any

from msgspec import Struct

from skerry_games.api import Outcome
from skerry_games.players.chances import Chances
from skerry_games.rng import SEED_BYTES
from skerry_service.domain.cooperative import CooperativeTask
from skerry_service.domain.log import Moved, Undone
from skerry_service.domain.table import Applied, Table, apply_entry

POINTS = 60
"""The most positions of a game that its curve has, besides those around swings."""
SIMULATIONS, CLOSE_SIMULATIONS = 24, 72
"""How often a position of the curve is played on, and one that may be before or after a swing."""
SWINGS = 3
"""The most swings of a game that are named."""
SMALLEST_SWING = 0.1
"""A smaller change is no swing: estimates differ by chance."""
_STRETCHES = 4
"""How many stretches between points are searched for swings."""


class GamePosition(Struct, frozen=True):
    """A position of a finished game, without those that were taken back."""

    sequence: int
    """The entry that led to it."""
    state: Any
    lost: tuple[int, ...]
    """The seats that have lost already, because their players resigned or ran out of time."""
    mover: int | None = None
    """The seat whose move led to it; ``None`` for chance and other entries."""
    move: Any = None
    """The move of ``mover``."""
    outcome: Outcome | None = None
    """Of the last position."""


class Swing(Struct, frozen=True):
    """A move that changed the chance of its seat to win."""

    sequence: int
    seat: int
    move: Any
    before: float
    after: float


def positions_of(log: Sequence[Applied]) -> CooperativeTask[list[GamePosition]]:
    """Return the positions of a whole log, from the first to the last. Yields after each entry."""
    table, positions = None, list[GamePosition]()
    for applied in log:
        table, _ = apply_entry(table, applied.entry, applied.move)
        if isinstance(applied.entry, Undone):
            positions = [one for one in positions if one.sequence < applied.entry.first]
        elif _is_new(table, positions):
            positions.append(_position(table, applied))
        yield
    return positions


def _is_new(table: Table, positions: Sequence[GamePosition]) -> bool:
    if table.state is None:
        return False
    latest = positions[-1] if positions else None
    return latest is None or table.state is not latest.state or table.record.lost != latest.lost


def _position(table: Table, applied: Applied) -> GamePosition:
    entry, record = applied.entry, table.record
    by_seat = isinstance(entry, Moved) and entry.by_seat
    return GamePosition(
        sequence=table.sequence,
        state=table.state,
        lost=record.lost,
        mover=entry.actor if isinstance(entry, Moved) and by_seat else None,
        move=applied.move if by_seat else None,
        outcome=record.outcome,
    )


def evenly(count: int) -> list[int]:
    """Return the indices of the positions of the curve, the first and the last of ``count`` positions among them."""
    if count <= POINTS:
        return list(range(count))
    return [index * (count - 1) // (POINTS - 1) for index in range(POINTS)]


def steepest(positions: Sequence[GamePosition], curve: Mapping[int, Chances]) -> list[int]:
    """Return the indices of all positions of the stretches in which seats that moved gained or lost most.

    ``curve``: the chances by index.
    """
    stretches = list(pairwise(sorted(curve)))

    def change(stretch: tuple[int, int]) -> float:
        first, last = stretch
        movers = {one.mover for one in positions[first + 1 : last + 1]}
        return max([abs(curve[last][seat] - curve[first][seat]) for seat in movers if seat is not None], default=0.0)

    chosen = sorted(stretches, key=change, reverse=True)[:_STRETCHES]
    return sorted({index for first, last in chosen for index in range(first, last + 1)})


def swings_of(positions: Sequence[GamePosition], close: Mapping[int, Chances]) -> tuple[Swing, ...]:
    """Return the moves that changed the chances of their seats most, the largest change first.

    ``close``: the chances of positions by index.
    """
    swings = [
        Swing(after.sequence, after.mover, after.move, close[index - 1][after.mover], close[index][after.mover])
        for index, after in enumerate(positions)
        if after.mover is not None and index in close and index - 1 in close
    ]
    swings = [swing for swing in swings if abs(swing.after - swing.before) >= SMALLEST_SWING]
    return tuple(sorted(swings, key=lambda swing: -abs(swing.after - swing.before))[:SWINGS])


def seed_of(session: str, sequence: int) -> bytes:
    """Return the seed for a position, which is equal on every replica."""
    return blake2b(f"{session} {sequence}".encode(), digest_size=SEED_BYTES, person=b"skerry analysis").digest()
