"""Games played beforehand, so that a load repeats real moves and spends nothing on choosing them.

All chance of a session follows from its seed, so a session with a recording's seed takes exactly its moves.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any
from uuid import UUID

from msgspec import Struct

from skerry.v1 import service_pb2 as pb
from skerry_games.api import AnyGame
from skerry_games.rng import SEED_BYTES
from skerry_service.rpc.codecs import write_move
from skerry_service.sessions.memory import MemoryStore
from skerry_service.sessions.service import NewSession, Sessions
from skerry_service.sessions.table import OPEN


class Step(Struct, frozen=True):
    """One move of a player."""

    seat: int
    request: bytes
    """The ActRequest in wire format, without its ``name``: a field that can stand in front of it."""
    expected: int
    """The sequence of the position that was decided on."""
    sequence: int
    """The sequence that the answer reaches."""


class Recording(Struct, frozen=True):
    """A whole game."""

    game: str
    seats: int
    seed: bytes
    steps: tuple[Step, ...]


async def record(game: AnyGame, seats: int, number: int) -> Recording:
    """Play game ``number`` at random. The same arguments give the same recording."""
    random = Random(number)
    seed = random.randbytes(SEED_BYTES)
    sessions = Sessions(MemoryStore(), clock_ms=lambda: 0)
    table, _, _ = await sessions.create(NewSession(game, game.options_type(), (OPEN,) * seats, seed=seed), None)
    session = table.record.id
    tokens = [(await sessions.join(session, f"Player {seat}", seat, None))[2] for seat in range(seats)]
    table, _ = await sessions.get(session, None)
    steps = []
    while table.to_act:
        seat, before = table.to_act[0], table.sequence
        move = random.choice(game.legal_moves(table.state, seat))
        change, _ = await sessions.act(session, tokens[seat], partial(_given, move), before, None)
        table = change.table
        steps.append(Step(seat, _request(game, move, before, random), before, table.sequence))
    return Recording(game.id, seats, seed, tuple(steps))


def _given(move: Any, game: AnyGame) -> Any:
    return move


def _request(game: AnyGame, move: Any, expected: int, random: Random) -> bytes:
    return pb.ActRequest(
        move=write_move(game, move, [""] * game.seats[-1]),
        expected_sequence=expected,
        request_id=str(UUID(int=random.getrandbits(128), version=4)),
        view=pb.POSITION_VIEW_NONE,
    ).SerializeToString()
