"""What a game is: one frozen value made of pure functions. Every game passes ``tests/games/test_every_game.py``.

Who acts is an ``int``: a seat from 0 in clockwise order, or ``CHANCE``. States, moves, events and views are
immutable ``msgspec.Struct`` values (or unions of tagged ones), so equality, hashing and MessagePack come free.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct

from skerry_games.rng import Rng

Seat = int
Viewer = int | None
"""A seat, or ``None`` for a spectator."""

CHANCE: Final[int] = -1
"""The actor of a chance move: dealing, shuffling, turning up."""
CHANCE_ACTS: Final[tuple[int, ...]] = (CHANCE,)
"""``to_act`` of a state in which a chance move comes next."""
OVER: Final[tuple[int, ...]] = ()
"""``to_act`` of a finished game."""


class GameError(Exception):
    """A refusal by the rules. Raised before anything has changed."""


class IllegalMove(GameError):
    """A well-formed move that a numbered rule forbids now."""

    def __init__(self, rule: str, sentence: str) -> None:
        """``sentence`` may be a template for players' names (``games.sentences``)."""
        super().__init__(f"{rule}: {sentence}")
        self.rule = rule
        self.sentence = sentence


class MalformedMove(GameError):
    """Not a move of this game at all: an unknown place, card, or shape."""


class BadOptions(GameError):
    """Options or a number of seats that this game cannot be set up with."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(f"{field}: {sentence}")
        self.field = field
        self.sentence = sentence


class Outcome(Struct, frozen=True, array_like=True):
    """How a game ended. Per seat; ranks are dense from 1, tied seats share a rank."""

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str
    """One sentence: which rule ended the game."""


class Rule(Struct, frozen=True):
    """One numbered rule, as the game's ``RULES.md`` states it."""

    id: str
    section: str
    text: str


S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V")
E = TypeVar("E")
O = TypeVar("O")  # noqa: E741 - one letter a parameter, as its neighbours


Step = tuple[S, tuple[E, ...]]
"""What a move, or a part of one, brings about: the state after it, and all that has happened, in order."""


@dataclass(frozen=True, slots=True)
class Game(Generic[S, M, V, E, O]):
    """A game as a value. All functions are pure: same arguments, same answer, no argument changes."""

    id: str
    title: str
    author: str
    ruleset: str
    """Changes whenever a log recorded before could replay differently."""
    seats: tuple[int, ...]
    """The numbers of seats that the game can be played with, ascending."""
    rules: tuple[Rule, ...]
    editions: tuple[str, ...]
    """Component data on offer, the default first. ``house`` is this project's own reconstruction."""
    max_moves: int
    """No game has more moves than this, chance moves included."""

    options_type: type[O]
    """A frozen Struct whose defaults are the game's defaults. It has a field ``edition``."""
    seat_options: tuple[str, ...]
    """The options that name a seat, or ``None``. They follow who sits there when open seats close up."""
    state_type: type[S]
    move_type: Any
    """A union of tagged frozen Structs: what players and chance can do."""

    setup: Callable[[O, int], S]
    """The state before the first (chance) move. Raises BadOptions."""
    to_act: Callable[[S], tuple[int, ...]]
    """The seats that owe a decision (several when they decide at once), CHANCE_ACTS, or OVER."""
    legal_moves: Callable[[S, int], Sequence[M]]
    """All moves of that actor (a seat or CHANCE); empty when it is not to act. At most 500."""
    apply: Callable[[S, int, M], Step[S, E]]
    """Carry out one move. Raises IllegalMove (with its rule) or MalformedMove."""
    draw: Callable[[S, Rng], M]
    """Pick the chance move of a state in which CHANCE acts; the only place for randomness."""
    outcome: Callable[[S], Outcome | None]
    """``None`` until the game is over."""
    scores: Callable[[S], tuple[int, ...]]
    """Points of each seat so far, as everybody may know them."""
    view: Callable[[S, Viewer], V]
    """What that viewer may see. Names each field: what is not named stays hidden."""
    show: Callable[[E, Viewer], E | None]
    """The event as that viewer may see it: itself, a masked copy, or ``None``. What is shown to spectators as it is, is
    so to all; likewise of moves."""
    show_move: Callable[[M, int, Viewer], M | None]
    """The move of an actor as that viewer may see it: itself, a masked copy, or ``None``. Seats see their own whole.
    A masked copy is never a move that could be made."""
    redeal: Callable[[S, Viewer, Rng], S]
    """A state that this viewer cannot tell from the real one, all else drawn anew."""

    say_move: Callable[[M], str]
    """The move in words, an imperative without a full stop: ``play the king as the admiral``. A template for players'
    names (``games.sentences``), as refusals by rules are."""
    say: Callable[[E], str]
    """The event as a sentence, as everybody who is shown it may read it. A template for players' names."""


AnyGame = Game[Any, Any, Any, Any, Any]
"""A game whose types are not known here: what the catalogue, sessions and tests handle."""
