"""The lines between the arena and a program, one JSON object each (``docs/how-to/tournaments.md``)."""

from __future__ import annotations

from typing import Final

from msgspec import Raw, Struct

PROTOCOL: Final = 1
LONGEST_ANSWER: Final = 1 << 16
"""The most bytes in a line of a program."""


class Hello(Struct, frozen=True, tag="hello"):
    """The first line to the program."""

    protocol: int = PROTOCOL


class NewGame(Struct, frozen=True, tag="new_game", kw_only=True):
    """To the program: a game starts. The last one is over."""

    game: str
    ruleset: str
    options: Raw
    seats: int
    seat: int
    seed: str
    """64 hexadecimal digits. A program that draws from it plays the same games in an equal tournament."""
    move_seconds: float
    bank_seconds: float


class Choose(Struct, frozen=True, tag="choose", kw_only=True, omit_defaults=True):
    """To the program: choose a move."""

    decision: int
    """The number of the decision, from 1 in each game."""
    seconds: float
    """The time limit of the answer, including the bank."""
    legal_moves: Raw
    view: Raw | None = None
    words: tuple[str, ...] | None = None
    """The legal moves in words."""
    sample: str | None = None
    """A state that the seat cannot tell from the true one, as MessagePack in base64."""


class GameOver(Struct, frozen=True, tag="game_over"):
    """To the program: the outcome. It has no answer."""

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str


class Quit(Struct, frozen=True, tag="quit"):
    """The last line to the program, after which its input ends."""


class ProgramHello(Struct, frozen=True, tag="hello"):
    """The answer to ``Hello``, with the optional fields of ``Choose`` that the program wants."""

    wants: tuple[str, ...] = ("view",)


class Ready(Struct, frozen=True, tag="ready"):
    """The answer to ``NewGame``."""


class Choice(Struct, frozen=True, tag="move"):
    """The answer to ``Choose``."""

    decision: int
    choice: int
    """An index in ``legal_moves``."""


Line = Hello | NewGame | Choose | GameOver | Quit
Answer = ProgramHello | Ready | Choice
WANTS: Final = ("view", "words", "sample")
