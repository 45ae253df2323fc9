"""The program of a process in which bots think. It answers one question at a time, until standard input ends.

    python -m skerry_service.processes.bot_process

Questions and answers are MessagePack. The process imports the rules and no sessions, holds no token and no seed of a
session, and receives only what the deciding seat may know.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from msgspec import Raw, Struct, msgpack

from skerry_games.catalogue import find_game
from skerry_games.information_state import seen_from
from skerry_games.players import shipped_player
from skerry_games.position import Position
from skerry_games.rng import SeededRng
from skerry_service.processes.framing import serve


class BotQuestion(Struct, frozen=True, array_like=True):
    """A decision of one seat."""

    level: str
    game: str
    ruleset: str
    seat: int
    sample: Raw
    """A packed state that the seat cannot distinguish from the true one."""
    seed: bytes
    """32 bytes from which the player draws."""
    seconds: float
    """The time until a player that heeds its clock has moved."""
    ranked: bool = False
    """Whether to answer with all moves, the best first, each with its utility. Only for levels that search."""


def answer(question: BotQuestion) -> bytes:
    """Return the move that the level chooses, or the ranked moves, packed."""
    end = time.monotonic() + question.seconds
    game = find_game(question.game, question.ruleset)
    if game is None:
        raise ValueError(f"{question.game} under {question.ruleset} is not supported")
    state = msgpack.decode(question.sample, type=game.state_type)
    rng = SeededRng(question.seed, 0)
    information_state = seen_from(Position(game, state), question.seat, rng)
    player: Any = shipped_player(question.level)(rng)
    decide = player.rank if question.ranked else player.choose
    return msgpack.encode(decide(information_state, lambda: end - time.monotonic()))


def _answer_packed(packed: bytes) -> bytes:
    return answer(msgpack.decode(packed, type=BotQuestion))


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer, _answer_packed)
