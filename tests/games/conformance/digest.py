"""Prints a digest of whole games: ``python -m tests.games.conformance.digest package.module:NAME SEATS:SEED ...``.

The digest covers the states, actors, legal moves in their order and views. It also covers the moves and events, as each
viewer sees them, and their descriptions.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from importlib import import_module
from typing import Any

from msgspec import msgpack

from skerry_games.api import AnyGame
from tests.games.conformance.play import Play, actors_of, play, viewers_of
from tests.games.conformance.totals import count_pieces


def digest(game: AnyGame, seats: int, seed: int) -> str:
    """Return the digest of one game played at random."""
    played = play(game, seats, seed)
    total = sha256()
    for part in (*_of_states(game, seats, played), *_of_steps(game, seats, played)):
        total.update(msgpack.encode(part, enc_hook=_text))
    return total.hexdigest()


def _text(value: object) -> str:
    """Return the text of a sentence, which is a kind of string."""
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError(type(value))


def _of_states(game: AnyGame, seats: int, played: Play) -> list[Any]:
    return [
        (
            state,
            game.to_act(state),
            [list(game.legal_moves(state, actor)) for actor in actors_of(seats)],
            [game.view(state, viewer) for viewer in viewers_of(seats)],
            game.outcome(state),
            list(count_pieces(game, state).items()),
        )
        for state in played.states
    ]


def _of_steps(game: AnyGame, seats: int, played: Play) -> list[Any]:
    return [
        (
            step.actor,
            step.move,
            game.say_move(step.move),
            [(event, game.say(event)) for event in step.events],
            [game.show_move(step.move, step.actor, viewer) for viewer in viewers_of(seats)],
            [[game.show(event, viewer) for event in step.events] for viewer in viewers_of(seats)],
        )
        for step in played.steps
    ]


def main(source: str, *games: str) -> None:
    """Print one line for each ``SEATS:SEED``."""
    module, _, name = source.partition(":")
    game: AnyGame = getattr(import_module(module), name)
    for seats, seed in (numbers.split(":") for numbers in games):
        print(digest(game, int(seats), int(seed)))


if __name__ == "__main__":
    main(*sys.argv[1:])
