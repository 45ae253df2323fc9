"""Games that are recorded in advance, so that a load sends real moves and spends nothing on choosing them.

The seed determines all chance of a session, so a session with a recording's seed accepts exactly its moves.
"""

from __future__ import annotations

from random import Random
from typing import Any
from uuid import UUID

from msgspec import Struct

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_games.api import AnyGame
from skerry_games.rng import SEED_BYTES
from skerry_service.domain.table import OPEN
from skerry_service.sessions.actions.new_session import NewSession
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.service import Sessions
from skerry_service.wire.payloads import moved_to_wire


class Step(Struct, frozen=True):
    """One move of a player."""

    seat: int
    request: bytes
    """An ActRequest without its ``name``, in wire format. Prefixed with a handle, it is a PlayAct."""
    expected: int
    """The sequence of the position before the move."""
    sequence: int
    """The sequence of the response."""


class Recording(Struct, frozen=True):
    """A whole game."""

    game: str
    seats: int
    seed: bytes
    steps: tuple[Step, ...]
    labels: int = 0
    """How often the host labels the session with ``label`` before the first move."""


def label(number: int) -> tuple[str, str]:
    """Return the key and the value of label ``number``; values differ."""
    return "turn", str(number)


async def record(game: AnyGame, seats: int, number: int, entries: int = 0) -> Recording:
    """Play game ``number`` at random. The same arguments give the same recording.

    ``entries``: the least number of entries in the log before the first move.
    """
    random = Random(number)
    seed = random.randbytes(SEED_BYTES)
    sessions = Sessions(MemoryStore(), clock_ms=lambda: 0)
    table, host, _ = await sessions.create(NewSession(game, game.options_type(), (OPEN,) * seats, seed=seed), None)
    session = table.record.id
    tokens = [(await sessions.players.join(session, f"Player {seat}", seat, None))[2] for seat in range(seats)]
    table, _ = await sessions.get(session, None)
    labels = max(0, entries - table.sequence)
    for turn in range(labels):
        table = await sessions.host.label(session, host, (label(turn),), None)
    steps = []
    while table.to_act:
        seat, before = table.to_act[0], table.sequence
        move = random.choice(game.legal_moves(table.state, seat))
        change, _ = await sessions.moves.act(await sessions.moves.seated(session, tokens[seat]), move, before, None)
        table = change.table
        steps.append(Step(seat, _request(game, move, before, random), before, table.sequence))
    return Recording(game.id, seats, seed, tuple(steps), labels)


def _request(game: AnyGame, move: Any, expected: int, random: Random) -> bytes:
    moved = session_pb2.Moved.FromString(moved_to_wire(game, move, (), ("",) * game.seats[-1]))
    return pb.ActRequest(
        move=moved.move,
        expected_sequence=expected,
        request_id=str(UUID(int=random.getrandbits(128), version=4)),
    ).SerializeToString()
