"""The error of a command."""

from __future__ import annotations

FAILED = 1
MISUSED = 2


class Refusal(Exception):
    """A command cannot do what the user asked for. The message is one sentence; ``code`` is the exit code."""

    def __init__(self, sentence: str, code: int = FAILED) -> None:
        super().__init__(sentence)
        self.code = code
