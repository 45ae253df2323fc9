"""Beam search through the rest of a turn: the moves of one seat before another seat, or chance, acts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from skerry_games.api import AnyGame
from skerry_games.evaluation import Advice
from skerry_games.players.utility import utility

BEAM_WIDTH = 10
"""The number of unfinished turns that the search follows at a time: those with the highest utility."""
FIRST_WIDTH: Final = 16
"""The same for the first move of a turn, after which the evaluation says least: it may only choose a card."""


class _Turn(NamedTuple):
    """The moves of a turn so far."""

    utility: float
    """The utility of ``state`` for the seat."""
    first: Any
    """The first move of the turn."""
    state: Any


def turn_utilities(game: AnyGame, advice: Advice, state: Any, seat: int, moves: Sequence[Any]) -> dict[Any, float]:
    """Return for each move the best utility, from 0 to 1, with which the seat's turn can end after it.

    If the search does not reach the end of a turn after a move, the result is the utility right after the move.
    """
    begun: dict[Any, float] = {}
    ended: dict[Any, float] = {}
    beam = list(_first_moves(game, advice, state, seat, moves))
    while beam:
        unfinished = []
        for turn in beam:
            begun.setdefault(turn.first, turn.utility)
            if game.to_act(turn.state) == (seat,):
                unfinished.append(turn)
            else:
                ended[turn.first] = max(turn.utility, ended.get(turn.first, 0.0))
        unfinished.sort(key=lambda turn: turn.utility, reverse=True)
        beam = [following for turn in unfinished[:BEAM_WIDTH] for following in _next_moves(game, advice, seat, turn)]
    return begun | ended


def _first_moves(game: AnyGame, advice: Advice, state: Any, seat: int, moves: Sequence[Any]) -> Iterator[_Turn]:
    for move in moves:
        after, _ = game.apply(state, seat, move)
        yield _Turn(state_utility(advice, after, seat), move, after)


def _next_moves(game: AnyGame, advice: Advice, seat: int, turn: _Turn) -> Iterator[_Turn]:
    for move in game.legal_moves(turn.state, seat):
        after, _ = game.apply(turn.state, seat, move)
        yield _Turn(state_utility(advice, after, seat), turn.first, after)


def state_utility(advice: Advice, state: Any, seat: int) -> float:
    """Return the utility of a state for a seat, by an evaluation."""
    return utility(advice.worth(state), advice.lead, seat)


class WholeTurn(NamedTuple):
    """A turn of one seat, up to the move after which another seat, or chance, acts."""

    utility: float
    """The utility of ``state`` for the seat."""
    moves: tuple[Any, ...]
    state: Any


def whole_turns(game: AnyGame, advice: Advice, state: Any, seat: int, width: int = BEAM_WIDTH) -> list[WholeTurn]:
    """Return turns that the seat can play, the best first. Of those with equal ends, return the first one found.

    The search follows the ``FIRST_WIDTH`` best first moves, and the ``width`` best unfinished turns after later moves.
    """
    own, ended = (seat,), dict[Any, WholeTurn]()
    beam: list[tuple[tuple[Any, ...], Any]] = [((), state)]
    while beam:
        unfinished = []
        for moves, before in beam:
            for move in game.legal_moves(before, seat):
                after, _ = game.apply(before, seat, move)
                if game.to_act(after) == own:
                    unfinished.append(((*moves, move), after))
                elif after not in ended:
                    ended[after] = WholeTurn(state_utility(advice, after, seat), (*moves, move), after)
        most = width if beam[0][0] else FIRST_WIDTH
        if len(unfinished) > most:
            unfinished.sort(key=lambda turn: state_utility(advice, turn[1], seat), reverse=True)
            del unfinished[most:]
        beam = unfinished
    return sorted(ended.values(), key=_utility, reverse=True)


def _utility(turn: WholeTurn) -> float:
    return turn.utility
