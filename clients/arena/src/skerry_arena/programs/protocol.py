"""The lines that the arena and a program exchange, one JSON object each (``docs/how-to/tournaments.md``)."""

from __future__ import annotations

from typing import Final

from msgspec import Raw, Struct

PROTOCOL: Final = 1
LONGEST_ANSWER: Final = 1 << 16
"""Bytes of a line that a program may write."""


class Hello(Struct, frozen=True, tag="hello"):
    """To the program, once."""

    protocol: int = PROTOCOL


class NewGame(Struct, frozen=True, tag="new_game", kw_only=True):
    """To the program: a game begins, and the last one is over."""

    game: str
    ruleset: str
    options: Raw
    seats: int
    seat: int
    seed: str
    """64 hexadecimal digits: draw from it, and equal tournaments have equal games."""
    move_seconds: float
    bank_seconds: float


class Choose(Struct, frozen=True, tag="choose", kw_only=True, omit_defaults=True):
    """To the program: decide."""

    decision: int
    """From 1, in each game."""
    seconds: float
    """How long the answer is waited for, the bank included."""
    legal_moves: Raw
    view: Raw | None = None
    words: tuple[str, ...] | None = None
    """The legal moves in words."""
    sample: str | None = None
    """A state that the seat cannot tell from the true one: MessagePack in base64."""


class GameOver(Struct, frozen=True, tag="game_over"):
    """To the program. Not answered."""

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str


class Quit(Struct, frozen=True, tag="quit"):
    """To the program, last of all. Its input ends with it."""


class ProgramHello(Struct, frozen=True, tag="hello"):
    """The answer to ``Hello``: which of these ``Choose`` is to bring: ``view``, ``words``, ``sample``."""

    wants: tuple[str, ...] = ("view",)


class Ready(Struct, frozen=True, tag="ready"):
    """The answer to ``NewGame``."""


class Choice(Struct, frozen=True, tag="move"):
    """The answer to ``Choose``."""

    decision: int
    choice: int
    """A place in ``legal_moves``, from 0."""


Line = Hello | NewGame | Choose | GameOver | Quit
Answer = ProgramHello | Ready | Choice
WANTS: Final = ("view", "words", "sample")
