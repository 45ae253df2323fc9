"""Moves in words: how a program may write them, and which moves have which words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final
from unicodedata import normalize

from msgspec import Raw, json

from skerry_arena.play.game_run import GameRun
from skerry_arena.programs.protocol import Form
from skerry_games.api import AnyGame
from skerry_games.catalogue import supported_games
from skerry_games.rng import SeededRng
from skerry_games.sentences import fill

_EXAMPLES: Final = 24
"""The number of games of random moves from which forms and illegal moves are known. In 24, every kind of move occurs at
every table with the default options."""
_WORD: Final = re.compile(r"[^\W_]+")


def seat_names(seats: int) -> list[str]:
    """Return the names that stand for the players in all lines of a program."""
    return [f"seat {seat}" for seat in range(seats)]


def normalized(words: str) -> str:
    """Return words in lower case, without punctuation and with single spaces. Moves that differ still differ."""
    return " ".join(_WORD.findall(normalize("NFKC", words).casefold()))


def in_words(game: AnyGame, moves: Iterable[Any], names: Sequence[str]) -> tuple[str, ...]:
    """Return moves in words."""
    say = game.say_move
    return tuple([fill(say(move), names) for move in moves])


@lru_cache(maxsize=8)
def known_moves(ruleset: str, options: Any, seats: int) -> Mapping[str, Any]:
    """Return moves by their normalized words: all that were legal in some games of random moves.

    Illegal words among them name a move, so that the rules can say what forbids it.
    """
    game, names = _game_of(ruleset), seat_names(seats)
    moves = dict.fromkeys(move for number in range(_EXAMPLES) for move in _legal_moves(game, options, seats, number))
    return MappingProxyType(
        {normalized(words): move for move, words in zip(moves, in_words(game, moves, names), strict=True)}
    )


@lru_cache(maxsize=8)
def forms(ruleset: str, options: Any, seats: int) -> tuple[Form, ...]:
    """Return an example of each kind of move in the same games, in words and as JSON."""
    examples: dict[type, Any] = {}
    for move in known_moves(ruleset, options, seats).values():
        examples.setdefault(type(move), move)
    game, names = _game_of(ruleset), seat_names(seats)
    said = in_words(game, examples.values(), names)
    return tuple(
        [
            Form(words, Raw(json.encode(move)), (kind.__doc__ or "").partition("\n")[0])
            for words, (kind, move) in zip(said, examples.items(), strict=True)
        ]
    )


def _game_of(ruleset: str) -> AnyGame:
    return next(game for game in supported_games() if game.ruleset == ruleset)


def _legal_moves(game: AnyGame, options: Any, seats: int, number: int) -> Iterator[Any]:
    """Yield the legal moves of each decision in a game of random moves."""
    seed = number.to_bytes(32, "big")
    course, dice = GameRun(game, options, seats, seed), SeededRng(seed, 0)
    while not course.over:
        moves = course.position.legal_moves(course.seat)
        yield from moves
        course.choose(dice.below(len(moves)))
