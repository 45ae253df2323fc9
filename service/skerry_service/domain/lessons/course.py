"""The course of a lesson in a session: which entry each step follows, and the moves of the other seats.

The course is played once with the rules. The chance moves are those of a session with the lesson's seed, so the course
needs no state beyond the session's log. While a session is at a position of the course, the other seats make the moves
of the course. Elsewhere they have no scripted move.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from skerry_games.api import CHANCE, CHANCE_ACTS, AnyGame
from skerry_games.catalogue import find_game, game_module
from skerry_games.lessons import Lesson, LessonStep, Reply
from skerry_games.rng import SeededRng

ENTRIES_BEFORE_PLAY = 3
"""A lesson's log begins with ``created``, ``joined`` and ``started``."""


class PlacedStep(Struct, frozen=True):
    """A step of a lesson in a session's log."""

    sequence: int
    """The entry after which the step is shown."""
    state: Any
    """The state after it. If earlier steps allow several moves: after the first of each."""
    step: LessonStep


class Course(Struct, frozen=True):
    """A lesson, played with the rules."""

    lesson: Lesson
    steps: tuple[PlacedStep, ...]
    replies: Mapping[tuple[Any, int], Any]
    """The moves of the other seats, by state and seat."""


class _Place(Struct, frozen=True):
    state: Any
    sequence: int


def lesson_of(game: AnyGame) -> Lesson | None:
    """Return the lesson of a game, or ``None`` if it has none."""
    module = game_module(game.id, game.ruleset, "lesson")
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
    places = [_drawn(game, lesson, _Place(game.setup(lesson.options, lesson.seats), ENTRIES_BEFORE_PLAY))]
    steps, replies = [], {}
    for item in lesson.course:
        if isinstance(item, Reply):
            replies.update({(place.state, item.seat): item.move for place in places})
            places = [_after(game, lesson, place, item.seat, item.move) for place in places]
            continue
        steps.append(PlacedStep(places[0].sequence, places[0].state, item))
        if item.moves:
            places = [_after(game, lesson, place, lesson.seat, move) for place in places for move in item.moves]
    return Course(lesson, tuple(steps), replies)


def _after(game: AnyGame, lesson: Lesson, place: _Place, actor: int, move: Any) -> _Place:
    """Return the place after a move and the chance moves that follow."""
    state, _ = game.apply(place.state, actor, move)
    return _drawn(game, lesson, _Place(state, place.sequence + 1))


def _drawn(game: AnyGame, lesson: Lesson, place: _Place) -> _Place:
    state, sequence = place.state, place.sequence
    while game.to_act(state) == CHANCE_ACTS:
        sequence += 1
        state, _ = game.apply(state, CHANCE, game.draw(state, SeededRng(lesson.seed_bytes, sequence)))
    return _Place(state, sequence)


def scripted_move(game: AnyGame, state: Any, seat: int) -> Any | None:
    """Return the move of a seat by the lesson of its game, or ``None`` if the state is not in the course."""
    course = course_of(game)
    return course.replies.get((state, seat)) if course else None
