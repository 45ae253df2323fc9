"""The record of a game: one line of the log, from which the game can be replayed move by move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from skerry_arena.play.contestant import AnswerCounts, FailureKind


class Failure(Struct, frozen=True):
    """A failure of a player, after which a substitute took its seat."""

    seat: int
    decision: int
    """The number of choices in the game before the failure."""
    kind: FailureKind
    detail: str = ""
    """A sentence about the failure. It can differ from run to run."""


class Result(Struct, frozen=True, kw_only=True):
    """The result of a game."""

    game: Annotated[int, Meta(ge=0)]
    """Its number in the plan."""
    block: int
    lineup: tuple[str, ...]
    """The name of the player in each seat."""
    ranks: tuple[int, ...]
    """For each seat, dense from 1; tied seats share a rank. Seats that forfeited come last."""
    scores: tuple[int, ...]
    reason: str
    """One sentence: why the game ended."""
    counts: bool
    """Whether the game counts. A void game does not."""
    failures: tuple[Failure, ...]
    seed: str
    """The seed of chance, as 64 hexadecimal digits."""
    seconds: tuple[float, ...]
    """The thinking time of each seat. It is measured, so it differs from run to run."""
    answers: tuple[AnswerCounts, ...] = ()
    """The answers of each seat's program. Empty in a game without programs."""


def answers_of(counts: Sequence[AnswerCounts]) -> tuple[AnswerCounts, ...]:
    """Return the field ``answers`` of a game with these counts of its seats."""
    return tuple(counts) if any(one != AnswerCounts() for one in counts) else ()


class Record(Result, frozen=True, kw_only=True, omit_defaults=True):
    """A finished game."""

    choices: tuple[int, ...]
    """All choices in their order, each the index of a legal move. Together with the seed they are the whole game."""
    actors: tuple[int, ...] = ()
    """The seat of each choice, in a game on a service, where seats that decide at once act in any order. Empty in other
    games, where such seats act in their order."""
    draws: tuple[Annotated[int, Meta(ge=1, le=(1 << 63) - 1)], ...] = ()
    """The entry number of each move of chance, in a game on a service, whose log has other entries in between. Empty in
    other games, whose moves have consecutive numbers from 3."""
