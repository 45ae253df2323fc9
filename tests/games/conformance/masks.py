"""What is shown of moves: seats see their own whole, and a masked move is no move that could be made."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from skerry_games.api import AnyGame, MalformedMove
from tests.games.conformance.play import actors_of, play, spread, viewers_of

_STATES = 60


def check_seats_see_their_own_moves(game: AnyGame, seats: int, seed: int) -> None:
    """A seat is shown its own moves as they are."""
    for state in play(game, seats, seed).states:
        for seat in game.to_act(state):
            for move in game.legal_moves(state, seat) if seat in range(seats) else ():
                assert game.show_move(move, seat, seat) == move, f"seat {seat} is not shown its own move {move}"


def check_spectators_see_no_more_than_seats(game: AnyGame, seats: int, seed: int) -> None:
    """What a spectator is shown as it is, every seat is shown as it is: one message can tell them all."""
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
    """A masked move is listed nowhere, and refused as malformed whoever sends it."""
    states = play(game, seats, seed).states
    masked = masks(game, seats, seed)
    for state in states if masked else ():
        for actor in game.to_act(state):
            possible = masked.intersection(game.legal_moves(state, actor))
            assert not possible, f"a masked move can be made: {possible}"
    for state in spread(states, _STATES):
        for actor in actors_of(seats):
            for move in masked:
                assert _is_malformed(game, state, actor, move), f"a masked move is not refused as malformed: {move}"


@lru_cache(maxsize=64)
def masks(game: AnyGame, seats: int, seed: int) -> frozenset[Any]:
    """Return all that some viewer would be shown, over a whole game, instead of moves as they are."""
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
    except Exception as error:  # whatever it raises is to be judged
        return isinstance(error, MalformedMove)
    return False
