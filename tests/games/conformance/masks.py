"""Masked moves and events: a seat sees its own moves unmasked, and a masked move is never legal."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from skerry_games.api import AnyGame, MalformedMove
from tests.games.conformance.play import actors_of, play, spread, viewers_of

_STATES = 60


def check_seats_see_their_own_moves(game: AnyGame, seats: int, seed: int) -> None:
    """A seat sees its own moves unmasked."""
    for state in play(game, seats, seed).states:
        for seat in game.to_act(state):
            for move in game.legal_moves(state, seat) if seat in range(seats) else ():
                assert game.show_move(move, seat, seat) == move, f"seat {seat} does not see its own move {move}"


def check_spectators_see_no_more_than_seats(game: AnyGame, seats: int, seed: int) -> None:
    """A move or event that a spectator sees unmasked, every seat sees unmasked. So one message serves all viewers."""
    for step in play(game, seats, seed).steps:
        for event in step.events:
            if game.show(event, None) == event:
                for seat in range(seats):
                    assert game.show(event, seat) == event, f"seat {seat} sees less than a spectator: {event}"
        if game.show_move(step.move, step.actor, None) == step.move:
            for seat in range(seats):
                shown = game.show_move(step.move, step.actor, seat)
                assert shown == step.move, f"seat {seat} sees less than a spectator: {step.move}"


def check_masks_cannot_be_played(game: AnyGame, seats: int, seed: int) -> None:
    """A masked move is never legal. The game rejects it as malformed, from every actor."""
    states = play(game, seats, seed).states
    masked = masks(game, seats, seed)
    for state in states if masked else ():
        for actor in game.to_act(state):
            possible = masked.intersection(game.legal_moves(state, actor))
            assert not possible, f"a masked move is legal: {possible}"
    for state in spread(states, _STATES):
        for actor in actors_of(seats):
            for move in masked:
                assert _is_malformed(game, state, actor, move), f"a masked move is not rejected as malformed: {move}"


@lru_cache(maxsize=64)
def masks(game: AnyGame, seats: int, seed: int) -> frozenset[Any]:
    """Return the masked copies of all legal moves in a game, for all viewers."""
    found = set()
    for state in play(game, seats, seed).states:
        for actor in game.to_act(state):
            for move in game.legal_moves(state, actor):
                found |= {
                    shown for viewer in viewers_of(seats) if (shown := game.show_move(move, actor, viewer)) != move
                }
    return frozenset(found - {None})


def _is_malformed(game: AnyGame, state: Any, actor: int, move: Any) -> bool:
    try:
        game.apply(state, actor, move)
    except Exception as error:  # the check examines every kind of error
        return isinstance(error, MalformedMove)
    return False
