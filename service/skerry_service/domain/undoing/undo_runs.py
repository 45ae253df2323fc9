"""Undo: the run of moves that a seat has made since chance or another seat moved, and how its last move is taken back.

The run has the state before its first move, so every replica can restore each state of the run without the log. A table
has a run only if its session allows undo.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from skerry_games.api import CHANCE_ACTS, OVER, AnyGame
from skerry_service.domain.clocks import Clocks, SeatClock

MAX_UNDOS = 20
"""How often a seat can take back moves before chance or another seat moves."""
S = TypeVar("S")
Decode = Callable[[bytes], Any]
"""Decodes a move of the session's game."""


class Run(Struct, Generic[S], frozen=True, array_like=True):
    """The moves of one seat since chance or another seat moved."""

    seat: int
    state: S
    """Before the first of the moves."""
    clocks: Clocks
    """Before the first of the moves; empty in sessions without a clock."""
    latest: int
    """Sequence of the last entry that made or took back a move."""
    moves: tuple[tuple[int, bytes], ...] = ()
    """Each with its sequence, serialized."""
    undos: int = 0
    """How many moves the seat has taken back in this run."""


def run_after_move(run: Run[Any] | None, seat: int, before: tuple[Any, Clocks], sequence: int, move: bytes) -> Run[Any]:
    """Return the run after a move. ``before``: state and clocks before it. ``run``: of the table before, if any."""
    if run is None or run.seat != seat:
        run = Run(seat, *before, latest=sequence)
    return replace(run, latest=sequence, moves=(*run.moves, (sequence, move)))


def run_after_undo(run: Run[Any], sequence: int) -> Run[Any]:
    """Return the run after its last move was taken back by the entry ``sequence``."""
    return replace(run, latest=sequence, moves=run.moves[:-1], undos=run.undos + 1)


def states_of(game: AnyGame, run: Run[Any], decode: Decode) -> list[Any]:
    """Return the state before each move of the run, and the one after the last."""
    states = [run.state]
    for _, move in run.moves:
        states.append(game.apply(states[-1], run.seat, decode(move))[0])
    return states


def undoable_moves(game: AnyGame, run: Run[Any] | None, seat: int, decode: Decode) -> int:
    """Return how many moves of a seat can be taken back now, one after the other."""
    if run is None or run.seat != seat or run.undos >= MAX_UNDOS:
        return 0
    count, states = 0, states_of(game, run, decode)
    if game.to_act(states[-1]) in (CHANCE_ACTS, OVER):
        return 0
    for before, after in zip(reversed(states[:-1]), reversed(states[1:]), strict=True):
        if game.reveals(before, seat, after):
            break
        count += 1
    return min(count, MAX_UNDOS - run.undos)


def clocks_after_undo(run: Run[Any], charged_ms: int) -> Clocks:
    """Return the clocks after a move was taken back, as of before the run. Its whole time is charged to its seat."""
    if not run.clocks:
        return ()
    spent: SeatClock = replace(run.clocks[run.seat].spend(charged_ms), since_ms=0)
    return (*run.clocks[: run.seat], spent, *run.clocks[run.seat + 1 :])
