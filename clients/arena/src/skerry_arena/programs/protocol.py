"""The lines between the arena and a program, one JSON object each (``docs/how-to/tournaments.md``)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final

from msgspec import Meta, Raw, Struct

PROTOCOL: Final = 1
LONGEST_ANSWER: Final = 1 << 16
"""The most bytes in a line of a program."""
WANTS: Final = ("view", "words", "sample", "text", "events")
Tokens = Annotated[int, Meta(ge=0, le=1_000_000_000)]


class Moves(StrEnum):
    """Whether a program gets a list of its legal moves."""

    LISTED = "listed"
    UNLISTED = "unlisted"


class Hello(Struct, frozen=True, tag="hello", kw_only=True):
    """The first line to the program."""

    protocol: int = PROTOCOL
    offers: tuple[str, ...] = WANTS
    """What the program can want. An earlier arena offers nothing by name, and knows the first three."""
    moves: Moves
    """``unlisted``, if the tournament lists no moves. Otherwise, the program chooses."""


class Form(Struct, frozen=True):
    """A kind of move, in a program's choice of two forms."""

    words: str
    """An example in words."""
    move: Raw
    """The same move as JSON."""
    about: str
    """What the kind of move does, in a sentence."""


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
    retries: int
    """How often the program may answer a decision again, after an illegal or unreadable answer."""
    moves: Moves
    forms: tuple[Form, ...] | None = None
    """The kinds of moves, if moves are not listed."""
    board: str | None = None
    """The printed board in words, if the program wants ``text``."""
    edition: str | None = None
    """The file of the components, if the program wants ``sample`` and they are not those of the house."""


class Refusal(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The reason why the arena asks again."""

    reason: str
    """``illegal`` or ``unreadable``."""
    rule: str | None = None
    """The id of the rule that forbids the move."""
    sentence: str
    """What the rule says; or, after an unreadable answer, which form an answer has."""
    tries_left: int
    """The number of answers left, this one included. After the last one, the program fails."""


class Choose(Struct, frozen=True, tag="choose", kw_only=True, omit_defaults=True):
    """To the program: choose a move."""

    decision: int
    """The number of the decision, from 1 in each game."""
    seconds: float
    """The time left for the answer, including the bank."""
    legal_moves: Raw | None = None
    """``None`` if moves are not listed."""
    view: Raw | None = None
    words: tuple[str, ...] | None = None
    """The legal moves in words."""
    sample: str | None = None
    """A state that the seat cannot tell from the true one, as MessagePack in base64."""
    text: str | None = None
    """The position in words."""
    events: tuple[str, ...] | None = None
    """The events since the last decision, as sentences."""
    refused: Refusal | None = None
    """If the arena asks again, why it refused the last answer."""


class GameOver(Struct, frozen=True, tag="game_over"):
    """To the program: the outcome. It has no answer."""

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str


class Quit(Struct, frozen=True, tag="quit"):
    """The last line to the program, after which its input ends."""


class ProgramHello(Struct, frozen=True, tag="hello"):
    """The answer to ``Hello``."""

    wants: tuple[str, ...] = ("view",)
    """The optional fields of ``Choose`` that the program wants."""
    moves: Moves = Moves.LISTED


class Ready(Struct, frozen=True, tag="ready"):
    """The answer to ``NewGame``."""


class Choice(Struct, frozen=True, tag="move"):
    """The answer to ``Choose``, with ``choice`` or ``move``."""

    decision: int
    choice: Annotated[int, Meta(ge=-1_000_000_000, le=1_000_000_000)] | None = None
    """An index in ``legal_moves``."""
    move: Raw = Raw()
    """A move in words, or as JSON."""
    tokens_in: Tokens = 0
    """The tokens that a language model has read for this answer."""
    tokens_out: Tokens = 0


Line = Hello | NewGame | Choose | GameOver | Quit
Answer = ProgramHello | Ready | Choice
