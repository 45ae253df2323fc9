"""What a command says that cannot do what it was asked to."""

from __future__ import annotations

FAILED = 1
MISUSED = 2


class Refusal(Exception):
    """A command that cannot do what it was asked to: one line, and the exit code."""

    def __init__(self, sentence: str, code: int = FAILED) -> None:
        super().__init__(sentence)
        self.code = code
