"""The program of a process in which bots think. It answers one question at a time, until standard input ends.

    python -m skerry_service.processes.bot_process

Questions and answers are MessagePack. The process imports the rules and no sessions, holds no token and no seed of a
session, and receives only what the deciding seat may know, or a state of a finished game.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from msgspec import Raw, Struct, msgpack

from skerry_games.api import AnyGame
from skerry_games.catalogue import find_game
from skerry_games.editions import load_packed_editions
from skerry_games.information_state import seen_from
from skerry_games.players import shipped_player
from skerry_games.players.chances import win_chances
from skerry_games.position import Position
from skerry_games.rng import SeededRng
from skerry_service.processes.framing import serve


class BotQuestion(Struct, frozen=True, array_like=True, tag="decide"):
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


class ChancesQuestion(Struct, frozen=True, array_like=True, tag="chances"):
    """A position of a finished game."""

    game: str
    ruleset: str
    state: Raw
    """The packed state."""
    lost: tuple[int, ...]
    """The seats that have lost already."""
    seed: bytes
    """32 bytes to draw from."""
    simulations: int


def answer_chances(question: ChancesQuestion) -> bytes:
    """Return the estimated chances of each seat to win, packed."""
    game = _game(question)
    state = msgpack.decode(question.state, type=game.state_type)
    rng = SeededRng(question.seed, 0)
    return msgpack.encode(win_chances(game, state, rng, question.simulations, question.lost))


def answer(question: BotQuestion) -> bytes:
    """Return the move that the level chooses, or the ranked moves, packed."""
    end = time.monotonic() + question.seconds
    game = _game(question)
    state = msgpack.decode(question.sample, type=game.state_type)
    rng = SeededRng(question.seed, 0)
    information_state = seen_from(Position(game, state), question.seat, rng)
    player: Any = shipped_player(question.level)(rng)
    decide = player.rank if question.ranked else player.choose
    return msgpack.encode(decide(information_state, lambda: end - time.monotonic()))


def _game(question: BotQuestion | ChancesQuestion) -> AnyGame:
    game = find_game(question.game, question.ruleset)
    if game is None:
        raise ValueError(f"{question.game} under {question.ruleset} is not supported")
    return game


def _answer_packed(packed: bytes) -> bytes:
    question = msgpack.decode(packed, type=BotQuestion | ChancesQuestion)
    return answer_chances(question) if isinstance(question, ChancesQuestion) else answer(question)


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer, load_packed_editions, _answer_packed)
