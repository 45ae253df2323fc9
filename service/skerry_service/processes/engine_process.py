"""The program of an engine process. It answers one question at a time, until standard input ends.

    python -m skerry_service.processes.engine_process

The process has no store, token or session: a question contains everything that it needs. Its memory is limited, because
snapshots are untrusted input.
"""

from __future__ import annotations

import resource
import sys

from msgspec import Struct, msgpack

from skerry_games.editions import load_packed_editions
from skerry_service.processes.engine_answers import ANSWERS
from skerry_service.processes.engine_refusals import EngineRefusal, PackedRefusal
from skerry_service.processes.framing import serve

_MEMORY_BYTES = 1 << 30
"""Limit of the address space. An idle process takes a twentieth of it."""


class EngineQuestion(Struct, frozen=True, array_like=True):
    """A call of the engine service."""

    rpc: str
    request: bytes
    """The serialized message."""


class EngineAnswer(Struct, frozen=True, array_like=True):
    """Either a response or a refusal."""

    response: bytes | None = None
    """The serialized message."""
    refusal: PackedRefusal | None = None


def answer(packed: bytes) -> bytes:
    """Answer one packed question."""
    question = msgpack.decode(packed, type=EngineQuestion)
    request_type, respond = ANSWERS[question.rpc]
    try:
        result = EngineAnswer(respond(request_type.FromString(question.request)).SerializeToString())
    except EngineRefusal as refusal:
        result = EngineAnswer(refusal=refusal.packed)
    return msgpack.encode(result)


def _begin(packed_editions: bytes) -> None:
    load_packed_editions(packed_editions)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer, _begin, answer)
