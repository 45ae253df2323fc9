"""What is written of a game: one line of the log. The game can be told again from it, move by move."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from skerry_arena.play.contestant import FailureKind


class Failure(Struct, frozen=True):
    """A player failed, and somebody else took its seat."""

    seat: int
    decision: int
    """How many choices had been made in the game before."""
    kind: FailureKind
    detail: str = ""
    """What the log says of it. Not the same in another run."""


class Result(Struct, frozen=True, kw_only=True):
    """How a game ended: what is counted."""

    game: Annotated[int, Meta(ge=0)]
    """Its number in the plan."""
    block: int
    lineup: tuple[str, ...]
    """The name of who sat in each seat."""
    ranks: tuple[int, ...]
    """For each seat, dense from 1; tied seats share a rank. Those who forfeited come last."""
    scores: tuple[int, ...]
    reason: str
    """One sentence: why the game ended."""
    counts: bool
    """Whether it counts: a game that is void does not."""
    failures: tuple[Failure, ...]
    seed: str
    """64 hexadecimal digits: what chance draws from."""
    seconds: tuple[float, ...]
    """How long each seat has thought. Measured, so not the same in another run."""


class Record(Result, frozen=True, kw_only=True, omit_defaults=True):
    """A finished game."""

    choices: tuple[int, ...]
    """The choices of all seats in the order in which they were made, each a place in the list of legal moves. With
    the seed, from which follows what chance draws, they are the whole game."""
    actors: tuple[int, ...] = ()
    """The seat of each choice, in a game of a service: there seats that decide at once do so in any order. Elsewhere
    empty: of several the first in order chooses."""
    draws: tuple[Annotated[int, Meta(ge=1, le=(1 << 63) - 1)], ...] = ()
    """The entry of each move of chance, in a game of a service, whose log has others in between. Elsewhere empty: all
    moves are numbered from 3."""
