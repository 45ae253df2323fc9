"""The rest of a seat's own turn: all that it can still do before somebody else, or chance, is to act."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from skerry_games.api import AnyGame
from skerry_games.players.utility import advice_of, utility

BREADTH = 10
"""So many unfinished turns are followed at a time: the most promising ones."""


class _Way(NamedTuple):
    """A part of a turn, or a whole one."""

    hope: float
    """The prospects of the seat there."""
    first: Any
    """The move that it began with."""
    state: Any


def turn_utilities(game: AnyGame, state: Any, seat: int, moves: Sequence[Any]) -> dict[Any, float]:
    """Return for each of these moves the best utilities, from 0 to 1, that the seat's turn can end with after it.

    For a move whose turn is not followed to its end it is what the move itself promises.
    """
    begun: dict[Any, float] = {}
    ended: dict[Any, float] = {}
    front = list(_first_steps(game, state, seat, moves))
    while front:
        open_ways = []
        for way in front:
            begun.setdefault(way.first, way.hope)
            if game.to_act(way.state) == (seat,):
                open_ways.append(way)
            else:
                ended[way.first] = max(way.hope, ended.get(way.first, 0.0))
        open_ways.sort(key=lambda way: way.hope, reverse=True)
        front = [further for way in open_ways[:BREADTH] for further in _next_steps(game, seat, way)]
    return begun | ended


def _first_steps(game: AnyGame, state: Any, seat: int, moves: Sequence[Any]) -> Iterator[_Way]:
    for move in moves:
        after, _ = game.apply(state, seat, move)
        yield _Way(state_utility(game, after, seat), move, after)


def _next_steps(game: AnyGame, seat: int, way: _Way) -> Iterator[_Way]:
    for move in game.legal_moves(way.state, seat):
        after, _ = game.apply(way.state, seat, move)
        yield _Way(state_utility(game, after, seat), way.first, after)


def state_utility(game: AnyGame, state: Any, seat: int) -> float:
    """Return the prospects of a seat."""
    judge = advice_of(game)
    return utility(judge.worth(state), judge.lead, seat)
