"""The interface of a game: ``Game``, one frozen value that consists of data and pure functions.

An actor is an ``int``: a seat, counted from 0 in clockwise order, or ``CHANCE``, which deals and draws. States, moves,
events and views are immutable ``msgspec.Struct`` values, so they compare, hash, and encode to JSON or MessagePack.

Bots rather use ``skerry_games.Position``, which wraps these functions. Every game passes
``tests/games/test_every_game.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct

from skerry_games.looks.guidance import Guide
from skerry_games.looks.instructions import HowToPlay
from skerry_games.looks.scene import Look
from skerry_games.rng import Rng

Seat = int
Viewer = int | None
"""The seat that looks at the game, or ``None`` for a spectator."""

CHANCE: Final[int] = -1
"""The actor of chance moves: dealing, shuffling, turning cards up."""
CHANCE_ACTS: Final[tuple[int, ...]] = (CHANCE,)
"""The value of ``to_act`` when a chance move comes next."""
OVER: Final[tuple[int, ...]] = ()
"""The value of ``to_act`` when the game is over."""


class GameError(Exception):
    """The rules reject a call, and nothing changes. Base class of the errors of this library."""


class IllegalMove(GameError):
    """A numbered rule forbids this well-formed move in this state."""

    def __init__(self, rule: str, sentence: str, template: str = "", names: Sequence[str] = ()) -> None:
        """``rule`` is the rule's id. ``sentence`` is the reason, a template that ``skerry_games.fill`` completes.

        ``template``: what the sentence was before it was completed with ``names``; empty if it is a template itself.
        """
        super().__init__(f"{rule}: {sentence}")
        self.rule = rule
        self.sentence = sentence
        self.template = template or sentence
        self.names = tuple(names)


class MalformedMove(GameError):
    """The value is not a move of this game: it has an unknown type, place or card."""


class BadOptions(GameError):
    """The game cannot be set up with these options or this number of seats. ``field`` names the wrong one."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(f"{field}: {sentence}")
        self.field = field
        self.sentence = sentence


class Outcome(Struct, frozen=True, array_like=True):
    """The result of a finished game."""

    ranks: tuple[int, ...]
    """The rank of each seat. The winner has rank 1, ranks are dense, and tied seats share a rank."""
    scores: tuple[int, ...]
    """The points of each seat."""
    reason: str
    """One sentence that names the rule by which the game ended."""


class Rule(Struct, frozen=True):
    """A numbered rule from the game's ``RULES.md``."""

    id: str
    section: str
    text: str


S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V")
E = TypeVar("E")
O = TypeVar("O")  # noqa: E741 - one letter a parameter, as its neighbours


Step = tuple[S, tuple[E, ...]]
"""The result of a move, or of a part of one: the state after it, and its events in order."""


def _may_reveal(before: object, actor: int, after: object) -> bool:
    """Say of every move that it may have shown something hidden, for games that do not know better."""
    return True


@dataclass(frozen=True, slots=True)
class Game(Generic[S, M, V, E, O]):
    """A game. Its functions are pure: equal arguments give equal results, and no argument changes.

    The type parameters are the game's state, move, view, event and options.
    """

    id: str
    """The name of the game's package: ``small_islands``."""
    title: str
    author: str
    ruleset: str
    """The version of the rules: ``kreta-2``. It changes whenever an older log could replay differently."""
    seats: tuple[int, ...]
    """The supported numbers of seats, ascending."""
    rules: tuple[Rule, ...]
    boards: tuple[Any, ...]
    """The printed components of each edition, the default first. ``house`` is this project's own reconstruction. Each
    is a frozen Struct with a field ``edition`` and all that a program needs to draw it."""
    max_moves: int
    """The maximum number of moves in a game, chance moves included."""

    options_type: type[O]
    """A frozen Struct with a default for each field. It has a field ``edition``."""
    seat_options: tuple[str, ...]
    """The options whose value is a seat or ``None``. If empty seats are removed, they follow the player of the seat."""
    state_type: type[S]
    move_type: Any
    """A union of tagged frozen Structs: all moves of seats and of chance. A move that one can name in several ways has
    a method ``as_listed``, which returns it as ``legal_moves`` lists it, or raises MalformedMove."""
    event_type: Any
    """A union of tagged frozen Structs: all events."""
    view_type: type[V]

    setup: Callable[[O, int], S]
    """Return the first state, for these options and this number of seats. Raises BadOptions."""
    to_act: Callable[[S], tuple[int, ...]]
    """Return the seats that have to decide (several if they decide simultaneously), CHANCE_ACTS, or OVER."""
    legal_moves: Callable[[S, int], Sequence[M]]
    """Return all legal moves of an actor, at most 500. Empty if the actor does not have to decide."""
    apply: Callable[[S, int, M], Step[S, E]]
    """Return the state after a move of an actor, and the events. Raises IllegalMove or MalformedMove."""
    draw: Callable[[S, Rng], M]
    """Return a random chance move for a state in which CHANCE acts. No other function except ``redeal`` is random."""
    outcome: Callable[[S], Outcome | None]
    """Return the result of a finished game, and ``None`` before the end."""
    scores: Callable[[S], tuple[int, ...]]
    """Return the points of each seat so far. They are public."""
    view: Callable[[S, Viewer], V]
    """Return what a viewer may see of a state. A field that the view does not name stays hidden."""
    show: Callable[[E, Viewer], E | None]
    """Return an event as a viewer may see it: the event itself, a masked copy, or ``None`` if it is hidden. An event
    that a spectator sees unmasked, every seat sees unmasked."""
    show_move: Callable[[M, int, Viewer], M | None]
    """Return a move of an actor as a viewer may see it: the move itself, a masked copy, or ``None`` if it is hidden. A
    seat sees its own moves unmasked. A move that a spectator sees unmasked, every seat sees unmasked. A masked copy is
    never a legal move."""
    redeal: Callable[[S, Viewer, Rng], S]
    """Return a random state that a viewer cannot tell from the given one. Hidden information is drawn anew."""

    say_move: Callable[[M], str]
    """Return a move in words, an imperative without a full stop: ``play the king as the admiral``. The text is a
    template for the players' names (``skerry_games.fill``)."""
    say: Callable[[E], str]
    """Return an event as a sentence. Every viewer of the event may read it. A template, like ``say_move``."""
    text: Callable[[V, Viewer], str]
    """Return a view in words: a line for each subject with its facts, as ``skerry_games.texts`` writes them. The text
    marks the seat of the viewer, whose view it is. A template, like ``say_move``."""
    board_text: Callable[[Any], str]
    """Return one of ``boards`` in words, in the same form: what is printed, and never changes in a game."""

    look: Look[Any, V]
    """The drawings of the game. ``skerry_games.looks.plain_look`` shows the fields of any view."""
    guide: Guide[M, V, E] | None = None
    """What a frontend says and lights. Without it, moves are offered in words."""
    steps: Callable[[S, int, M], Sequence[Step[S, E]]] | None = None
    """Return what ``apply`` does in steps that are worth showing one by one: the state after each, and its events. The
    last state and all events are those of ``apply``. The states between are only shown, and no move begins in them.
    Without it, a move is one step."""
    how_to_play: Callable[[AnyGame], HowToPlay] | None = None
    """Return the instructions of the game, which is the argument. It plays random games to find their pictures."""
    reveals: Callable[[S, int, S], bool] = _may_reveal
    """Return whether a move of a seat, from the first state to the second, has shown anything hidden. Such a move
    cannot be taken back. ``False`` promises that what the seat sees after the move follows from what it knew before."""

    @property
    def editions(self) -> tuple[str, ...]:
        """The available sets of component data, the default first."""
        return tuple(board.edition for board in self.boards)

    def in_steps(self, state: S, actor: int, move: M) -> Sequence[Step[S, E]]:
        """Return the steps of a legal move: those of ``steps``, or one."""
        return (self.apply(state, actor, move),) if self.steps is None else self.steps(state, actor, move)


AnyGame = Game[Any, Any, Any, Any, Any]
"""A game of unknown types, for code that handles all games."""
