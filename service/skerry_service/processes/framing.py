"""The format of questions and answers, each after its length in four bytes, and the loop that answers."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

LENGTH_BYTES = 4


def frame(data: bytes) -> bytes:
    """Return the data with its length in front."""
    return len(data).to_bytes(LENGTH_BYTES, "big") + data


def serve(
    questions: BinaryIO, answers: BinaryIO, begin: Callable[[bytes], None], answer: Callable[[bytes], bytes]
) -> None:
    """Begin with the greeting, then answer questions until the input ends or the reader of the answers is gone."""
    try:
        if (greeting := _read(questions)) is not None:
            begin(greeting)
        while (question := _read(questions)) is not None:
            answers.write(frame(answer(question)))
            answers.flush()
    except BrokenPipeError:  # the parent process was killed
        with suppress(BrokenPipeError):
            answers.close()


def _read(questions: BinaryIO) -> bytes | None:
    """Return the next data; ``None`` at the end of the input."""
    length = questions.read(LENGTH_BYTES)
    return questions.read(int.from_bytes(length, "big")) if len(length) == LENGTH_BYTES else None
