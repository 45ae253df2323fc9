"""Errors and exit codes of commands, and the text of their messages."""

from __future__ import annotations

from typing import Final

import typer

FAILED: Final = 1
MISUSED: Final = 2
INTERRUPTED: Final = 130


def os_error_text(error: OSError) -> str:
    """Return the error as a sentence, with its file if there is one."""
    words = f"{error.strerror}." if error.strerror else str(error)
    return f"{error.filename}: {words}" if error.filename else words


def printable(text: str) -> str:
    """Return the output of a program as one line without control characters."""
    return "".join([one if one.isprintable() else ascii(one)[1:-1] for one in text])


class CommandError(typer.exceptions.TyperException):
    """An error with one line for the user and an exit code."""

    def __init__(self, sentence: str, code: int = FAILED) -> None:
        super().__init__(sentence)
        self.exit_code = code
