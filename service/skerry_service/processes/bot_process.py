"""A process in which players decide: asked one question after the other on standard input, until that ends.

    python -m skerry_service.processes.bot_process

Questions and answers are MessagePack. It imports the rules and nothing of the sessions, holds no token and no seed of
one, and knows of each game what the deciding seat may know.
"""

from __future__ import annotations

import sys
import time

from msgspec import Raw, Struct, msgpack

from skerry_games.catalogue import find_game
from skerry_games.information_state import seen_from
from skerry_games.players import shipped_player
from skerry_games.position import Position
from skerry_games.rng import SeededRng
from skerry_service.processes.framing import serve


class BotQuestion(Struct, frozen=True, array_like=True):
    """A decision to make."""

    level: str
    game: str
    ruleset: str
    seat: int
    sample: Raw
    """A state, packed, that the seat cannot tell from the true one."""
    seed: bytes
    """32 bytes to draw from."""
    seconds: float
    """How long the answer is waited for. A player that heeds clocks has moved by then."""


def answer(question: BotQuestion) -> bytes:
    """Return the move that the level chooses, packed."""
    end = time.monotonic() + question.seconds
    game = find_game(question.game, question.ruleset)
    if game is None:
        raise ValueError(f"{question.game} under {question.ruleset} is not carried")
    state = msgpack.decode(question.sample, type=game.state_type)
    rng = SeededRng(question.seed, 0)
    seen = seen_from(Position(game, state), question.seat, rng)
    move = shipped_player(question.level)(rng).choose(seen, lambda: end - time.monotonic())
    return msgpack.encode(move)


def _answered(packed: bytes) -> bytes:
    return answer(msgpack.decode(packed, type=BotQuestion))


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer, _answered)
