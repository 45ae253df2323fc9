"""Beam search through the rest of a turn: the moves of one seat before another seat, or chance, acts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from skerry_games.api import AnyGame
from skerry_games.players.utility import advice_of, utility

BEAM_WIDTH = 10
"""The number of unfinished turns that the search follows at a time: those with the highest utility."""


class _Turn(NamedTuple):
    """The moves of a turn so far."""

    utility: float
    """The utility of ``state`` for the seat."""
    first: Any
    """The first move of the turn."""
    state: Any


def turn_utilities(game: AnyGame, state: Any, seat: int, moves: Sequence[Any]) -> dict[Any, float]:
    """Return for each move the best utility, from 0 to 1, with which the seat's turn can end after it.

    If the search does not reach the end of a turn after a move, the result is the utility right after the move.
    """
    begun: dict[Any, float] = {}
    ended: dict[Any, float] = {}
    beam = list(_first_moves(game, state, seat, moves))
    while beam:
        unfinished = []
        for turn in beam:
            begun.setdefault(turn.first, turn.utility)
            if game.to_act(turn.state) == (seat,):
                unfinished.append(turn)
            else:
                ended[turn.first] = max(turn.utility, ended.get(turn.first, 0.0))
        unfinished.sort(key=lambda turn: turn.utility, reverse=True)
        beam = [following for turn in unfinished[:BEAM_WIDTH] for following in _next_moves(game, seat, turn)]
    return begun | ended


def _first_moves(game: AnyGame, state: Any, seat: int, moves: Sequence[Any]) -> Iterator[_Turn]:
    for move in moves:
        after, _ = game.apply(state, seat, move)
        yield _Turn(state_utility(game, after, seat), move, after)


def _next_moves(game: AnyGame, seat: int, turn: _Turn) -> Iterator[_Turn]:
    for move in game.legal_moves(turn.state, seat):
        after, _ = game.apply(turn.state, seat, move)
        yield _Turn(state_utility(game, after, seat), turn.first, after)


def state_utility(game: AnyGame, state: Any, seat: int) -> float:
    """Return the utility of a state for a seat, by the game's advice."""
    advice = advice_of(game)
    return utility(advice.worth(state), advice.lead, seat)
