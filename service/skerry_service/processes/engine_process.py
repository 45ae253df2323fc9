"""A process that answers for the engine: one question after the other on standard input, until that ends.

    python -m skerry_service.processes.engine_process

It has no store, no token and no session: all that it knows is in the question. It has a bound on its memory, as
snapshots come from strangers.
"""

from __future__ import annotations

import resource
import sys

from msgspec import Struct, msgpack

from skerry_service.processes.engine_answers import ANSWERS
from skerry_service.processes.engine_refusals import Refused, Wrong
from skerry_service.processes.framing import serve

_MEMORY_BYTES = 1 << 30
"""Of addresses. An idle process takes a twentieth of it."""


class EngineQuestion(Struct, frozen=True, array_like=True):
    """A call."""

    rpc: str
    request: bytes
    """In wire format."""


class EngineAnswer(Struct, frozen=True, array_like=True):
    """What came of it: one of the two."""

    response: bytes | None = None
    """In wire format."""
    refused: Refused | None = None


def answer(packed: bytes) -> bytes:
    """EngineAnswer one packed question."""
    question = msgpack.decode(packed, type=EngineQuestion)
    request_type, respond = ANSWERS[question.rpc]
    try:
        told = EngineAnswer(respond(request_type.FromString(question.request)).SerializeToString())
    except Wrong as wrong:
        told = EngineAnswer(refused=wrong.told)
    return msgpack.encode(told)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    serve(sys.stdin.buffer, sys.stdout.buffer, answer)
