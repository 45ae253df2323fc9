"""The lesson of each game, played with the rules."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from skerry_games.api import CHANCE, AnyGame
from skerry_games.catalogue import all_games
from skerry_games.lessons import LONGEST_SENTENCE, Lesson, LessonStep
from skerry_games.position import Position
from skerry_service.domain.lessons.course import Course, course_of, lesson_of, scripted_move
from tests.games.test_guides import guide_of, seen_ids

LESSONS = [pytest.param(game, id=game.id) for game in all_games().values() if lesson_of(game)]
MOST_STEPS, FEWEST_STEPS = 15, 10


def course(game: AnyGame) -> Course:
    found = course_of(game)
    assert found is not None
    return found


def lesson(game: AnyGame) -> Lesson:
    return course(game).lesson


def states(game: AnyGame) -> list[tuple[LessonStep, Any]]:
    """Return each step with the state at which it is shown."""
    return [(placed.step, placed.state) for placed in course(game).steps]


def first_touches(game: AnyGame, state: Any, moves: tuple[Any, ...]) -> set[str]:
    """Return the ids with which the learner can begin one of the moves."""
    view = game.view(state, lesson(game).seat)
    return {path[0] for move in moves for path in guide_of(game).paths(move, view)}


@pytest.mark.parametrize("game", LESSONS)
def test_a_lesson_has_ten_to_fifteen_short_steps_and_ends_with_free_play(game: AnyGame) -> None:
    steps = lesson(game).steps
    assert FEWEST_STEPS <= len(steps) <= MOST_STEPS
    for step in steps:
        sentences = [step.text, step.more, *step.wrong.values()]
        assert not [one for one in sentences if len(one) > LONGEST_SENTENCE]
        assert all(one.endswith((".", "!", "?")) for one in sentences if one)
    assert not steps[0].moves
    assert not steps[-1].moves


@pytest.mark.parametrize("game", LESSONS)
def test_the_learner_is_to_act_at_each_step_and_may_make_its_moves(game: AnyGame) -> None:
    seat = lesson(game).seat
    for step, state in states(game):
        if step.moves:
            assert set(step.moves) <= set(Position(game, state).legal_moves(seat)), step.text


@pytest.mark.parametrize("game", LESSONS)
def test_what_a_step_marks_is_in_the_learners_scene(game: AnyGame) -> None:
    for step, state in states(game):
        assert set(step.marks) <= seen_ids(game, state, lesson(game).seat), step.text


@pytest.mark.parametrize("game", LESSONS)
def test_a_move_of_a_step_can_be_begun_at_something_that_the_step_marks(game: AnyGame) -> None:
    for step, state in states(game):
        touched = first_touches(game, state, step.moves)
        assert not touched or touched & set(step.marks), step.text


@pytest.mark.parametrize("game", LESSONS)
def test_answers_are_for_visible_things_that_begin_no_allowed_move(game: AnyGame) -> None:
    for step, state in states(game):
        wrong = set(step.wrong)
        assert wrong <= seen_ids(game, state, lesson(game).seat), step.text
        assert not wrong & first_touches(game, state, step.moves), step.text


@pytest.mark.parametrize("game", LESSONS)
def test_the_figures_in_the_sentences_are_true(game: AnyGame) -> None:
    claims = [(step, state) for step, state in states(game) if step.claim]
    assert claims
    for step, state in claims:
        assert step.claim is not None
        assert step.claim(state), step.text


@pytest.mark.parametrize("game", LESSONS)
def test_the_other_seats_and_chance_have_a_move_at_the_course_only(game: AnyGame) -> None:
    played = course(game)
    assert {actor for _, actor in played.script} == {CHANCE, *range(lesson(game).seats)} - {lesson(game).seat}
    for (state, actor), move in played.script.items():
        game.apply(state, actor, move)
        assert scripted_move(game, state, actor) == move
        assert scripted_move(game, state, lesson(game).seat) is None


def test_seats_that_decide_at_once_may_do_so_in_any_order() -> None:
    game = all_games()["small_islands"]
    state = course(game).steps[0].state
    begun = next(before for before, _ in course(game).script if len(game.to_act(before)) == lesson(game).seats)
    for order in permutations(range(1, lesson(game).seats)):
        after = begun
        for seat in order:
            after, _ = game.apply(after, seat, scripted_move(game, after, seat))
        assert after == state
