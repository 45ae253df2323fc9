"""The format of questions and answers, each after its length in four bytes, and the loop that answers."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

LENGTH_BYTES = 4


def frame(data: bytes) -> bytes:
    """Return the data with its length in front."""
    return len(data).to_bytes(LENGTH_BYTES, "big") + data


def serve(questions: BinaryIO, answers: BinaryIO, answer: Callable[[bytes], bytes]) -> None:
    """Answer questions until the input ends or the reader of the answers is gone."""
    try:
        while len(length := questions.read(LENGTH_BYTES)) == LENGTH_BYTES:
            data = questions.read(int.from_bytes(length, "big"))
            answers.write(frame(answer(data)))
            answers.flush()
    except BrokenPipeError:  # the parent process was killed
        with suppress(BrokenPipeError):
            answers.close()
