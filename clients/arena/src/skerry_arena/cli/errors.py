"""What a command raises when it cannot do what it was asked to."""

from __future__ import annotations

from typing import Final

import typer

FAILED: Final = 1
MISUSED: Final = 2
INTERRUPTED: Final = 130


def os_error_text(error: OSError) -> str:
    """Return what the system says, of a file if it names one, as a sentence."""
    words = f"{error.strerror}." if error.strerror else str(error)
    return f"{error.filename}: {words}" if error.filename else words


def printable(text: str) -> str:
    """Return what a program said as one line in which nothing is left that a terminal would obey."""
    return "".join([one if one.isprintable() else ascii(one)[1:-1] for one in text])


class CommandError(typer.exceptions.TyperException):
    """One line for the user, and the exit code."""

    def __init__(self, sentence: str, code: int = FAILED) -> None:
        super().__init__(sentence)
        self.exit_code = code
