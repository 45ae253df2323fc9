"""How questions and answers travel: each behind its length in four bytes. The side of who answers."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

LENGTH_BYTES = 4


def framed(data: bytes) -> bytes:
    """Return the data behind its length."""
    return len(data).to_bytes(LENGTH_BYTES, "big") + data


def serve(questions: BinaryIO, answers: BinaryIO, answer: Callable[[bytes], bytes]) -> None:
    """Answer until there are no more questions, or nobody who would hear an answer."""
    try:
        while len(length := questions.read(LENGTH_BYTES)) == LENGTH_BYTES:
            data = questions.read(int.from_bytes(length, "big"))
            answers.write(framed(answer(data)))
            answers.flush()
    except BrokenPipeError:  # who asked was killed meanwhile
        with suppress(BrokenPipeError):
            answers.close()
