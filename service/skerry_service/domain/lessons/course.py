"""The course of a lesson in a session: the position of each step, and the moves of chance and of the other seats.

The course is played once with the rules. The chance moves are those of a session with the lesson's seed whose log has
no entries but its start and moves. While a session is at a position of the course, chance and the other seats make the
moves of the course, so other entries, such as nudges, do not end the lesson. Elsewhere they have no scripted move.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from skerry_games.api import CHANCE, CHANCE_ACTS, AnyGame
from skerry_games.catalogue import all_games, find_game, game_module
from skerry_games.lessons import Lesson, LessonStep, Reply
from skerry_games.rng import SeededRng

ENTRIES_BEFORE_PLAY = 3
"""A lesson's log begins with ``created``, ``joined`` and ``started``."""


class PlacedStep(Struct, frozen=True):
    """A step of a lesson in a session's log."""

    sequence: int
    """The entry after which the step is shown, in a log that has no entries but its start and moves."""
    state: Any
    """The state after it. If earlier steps allow several moves: after the first of each."""
    step: LessonStep


class Course(Struct, frozen=True):
    """A lesson, played with the rules."""

    lesson: Lesson
    steps: tuple[PlacedStep, ...]
    script: Mapping[tuple[Any, int], Any]
    """The moves of chance and of the other seats, by state and actor."""


class _Place(Struct, frozen=True):
    state: Any
    sequence: int


def lesson_of(game: AnyGame) -> Lesson | None:
    """Return the lesson of a game, or ``None`` if it has none. Lessons are for the components of the house."""
    if game.editions != all_games()[game.id].editions:
        return None
    module = game_module(game.id, game.ruleset, "teaching.lesson")
    lesson: Lesson | None = module.LESSON if module else None
    return lesson


def course_of(game: AnyGame) -> Course | None:
    """Return the course of a game's lesson, or ``None`` if the game has no lesson.

    Raises IllegalMove or MalformedMove if the lesson does not fit the rules.
    """
    return _course_of(game.id, game.ruleset)


@cache
def _course_of(game_id: str, ruleset: str) -> Course | None:
    game = find_game(game_id, ruleset)
    lesson = lesson_of(game) if game else None
    if game is None or lesson is None:
        return None
    play = _Play(game, lesson)
    for item in lesson.course:
        play.make(item)
    return Course(lesson, tuple(play.steps), play.script)


class _Play:
    """A lesson's course while it is played. It is at several places at once after a step that allows several moves."""

    def __init__(self, game: AnyGame, lesson: Lesson) -> None:
        self._game, self._lesson = game, lesson
        self.steps: list[PlacedStep] = []
        self.script: dict[tuple[Any, int], Any] = {}
        self._places = [self._after_chance(_Place(game.setup(lesson.options, lesson.seats), ENTRIES_BEFORE_PLAY))]
        self._said: dict[int, Any] = {}
        """The replies to the current decision, by seat."""
        self._undecided: dict[Any, frozenset[int]] = {}
        """States of a decision that several seats make at once, each with the seats that still have to."""

    def make(self, item: LessonStep | Reply) -> None:
        """Show a step and make its moves, or make a reply."""
        if isinstance(item, Reply):
            self._reply(item)
            return
        first = self._places[0]
        self.steps.append(PlacedStep(first.sequence, first.state, item))
        if item.moves:
            self._said, self._undecided = {}, {}
            seat = self._lesson.seat
            self._places = [self._after(place, seat, move) for place in self._places for move in item.moves]

    def _reply(self, reply: Reply) -> None:
        """Make a reply. Seats that decide at once do so in any order, so replies apply in every order."""
        seat, move = reply.seat, reply.move
        if seat in self._said:
            self._said, self._undecided = {}, {}
        for state, seats in [*self._undecided.items()]:
            self._undecided[self._game.apply(state, seat, move)[0]] = seats - {seat}
        for place in self._places:
            self.script[place.state, seat] = move
            if len(deciding := self._game.to_act(place.state)) > 1:
                self._undecided[place.state] = frozenset(deciding)
        self._said[seat] = move
        for state, open_seats in self._undecided.items():
            self.script.update({(state, each): self._said[each] for each in open_seats & self._said.keys()})
        self._places = [self._after(place, seat, move) for place in self._places]

    def _after(self, place: _Place, actor: int, move: Any) -> _Place:
        """Return the place after a move and the chance moves that follow."""
        state, _ = self._game.apply(place.state, actor, move)
        return self._after_chance(_Place(state, place.sequence + 1))

    def _after_chance(self, place: _Place) -> _Place:
        game, state, sequence = self._game, place.state, place.sequence
        while game.to_act(state) == CHANCE_ACTS:
            sequence += 1
            drawn = self.script[state, CHANCE] = game.draw(state, SeededRng(self._lesson.seed_bytes, sequence))
            state, _ = game.apply(state, CHANCE, drawn)
        return _Place(state, sequence)


def scripted_move(game: AnyGame, state: Any, actor: int) -> Any | None:
    """Return the move of a seat or of chance by the lesson of its game; ``None`` if the state is not in the course."""
    course = course_of(game)
    return course.script.get((state, actor)) if course else None
