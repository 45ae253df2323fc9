"""What a frontend says and lights: complete, unambiguous, about what lies on the table, and without secrets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, get_args

import pytest

from skerry_games.api import CHANCE, AnyGame, Viewer
from skerry_games.catalogue import all_games
from skerry_games.looks.guidance import Annotation, Fact, Guide
from skerry_games.looks.plain_look import LOOK
from skerry_games.sentences import fill
from tests.games.conformance.play import dice, play, spread, viewers_of
from tests.games.conformance.texts import NAMES
from tests.games.test_every_game import is_deep
from tests.games.variants import all_variants

WORDS_ALONE: Final[Mapping[str, set[str]]] = {"kreta": {"Halt"}}
"""The kinds of moves that cannot be chosen by touching."""
CHOICES: Final[Mapping[str, str]] = {
    "small_islands": r"turn:[0-3]|(shows|covers|resource):(flower|fruit|leaf|port)|no-token|stop"
}
"""A pattern of the ids of choices for which nothing lies on the table. The README of the game lists them."""
STATES: Final = 30

GUIDED = [
    pytest.param(
        variant.game, seats, id=f"{variant.id}-{seats}", marks=[pytest.mark.deep] if is_deep(variant, seats) else []
    )
    for variant in all_variants()
    if variant.game.guide
    for seats in variant.game.seats
]
GAMES = [pytest.param(game, id=game.id) for game in all_games().values() if game.guide]


def guide_of(game: AnyGame) -> Guide[Any, Any, Any]:
    assert game.guide is not None
    return game.guide


def seen_ids(game: AnyGame, state: Any, viewer: Viewer) -> set[str]:
    """Return the ids of the places and pieces that a viewer sees."""
    view = game.view(state, viewer)
    places = {place.id for area in game.look.areas(game.boards[0], view) for place in area.places}
    return places | {piece.id for piece in game.look.pieces(view, viewer)}


def decisions(game: AnyGame, seats: int) -> Iterator[tuple[Any, int]]:
    """Yield states in which a seat has to decide, with the seat."""
    for state in spread(play(game, seats, 1).states, STATES):
        yield from ((state, seat) for seat in game.to_act(state) if seat != CHANCE)


@pytest.mark.parametrize(("game", "seats"), GUIDED)
def test_each_legal_move_has_paths_of_its_own(game: AnyGame, seats: int) -> None:
    guide = guide_of(game)
    for state, seat in decisions(game, seats):
        view, known, taken = game.view(state, seat), seen_ids(game, state, seat), dict[tuple[str, ...], Any]()
        for move in game.legal_moves(state, seat):
            paths = guide.paths(move, view)
            assert bool(paths) != (type(move).__name__ in WORDS_ALONE.get(game.id, ())), move
            for path in paths:
                assert path, move
                assert taken.setdefault(path, move) == move, f"{path} means both {taken[path]} and {move}"
                for touched in path:
                    assert touched in known or re.fullmatch(CHOICES.get(game.id, "$."), touched), (touched, move)


@pytest.mark.parametrize(("game", "seats"), GUIDED)
def test_events_touch_what_lies_on_the_table_before_or_after_them(game: AnyGame, seats: int) -> None:
    guide = guide_of(game)
    for step in spread(play(game, seats, 2).steps, STATES):
        for viewer in viewers_of(seats):
            known = seen_ids(game, step.before, viewer) | seen_ids(game, step.after, viewer)
            shown = [event for event in (game.show(one, viewer) for one in step.events) if event is not None]
            for event in shown:
                assert known.issuperset(guide.touched(event)), (event, set(guide.touched(event)) - known)


@pytest.mark.parametrize(("game", "seats"), GUIDED)
def test_the_gains_of_a_game_add_up_to_its_final_scores(game: AnyGame, seats: int) -> None:
    for seed in range(3):
        played = play(game, seats, seed)
        points = Counter(dict(enumerate(game.scores(played.first))))
        for event in (event for step in played.steps for event in step.events):
            for gain in guide_of(game).gains(event):
                assert gain.source
                assert gain.points
                points[gain.seat] += gain.points
        assert tuple(points[seat] for seat in range(seats)) == game.scores(played.last)


@pytest.mark.parametrize(("game", "seats"), GUIDED)
def test_there_is_a_task_exactly_while_a_seat_has_to_decide(game: AnyGame, seats: int) -> None:
    for state in play(game, seats, 3).states:
        decide = [seat for seat in game.to_act(state) if seat != CHANCE]
        for viewer in viewers_of(seats):
            task = guide_of(game).task(game.view(state, viewer))
            assert bool(task) == bool(decide), state
            assert not task.endswith(".")


@pytest.mark.parametrize("game", GAMES)
def test_each_kind_of_move_has_a_heading(game: AnyGame) -> None:
    moves = {
        type(move): move
        for variant in all_variants()
        if variant.game.id == game.id
        for seats in variant.game.seats
        for seed in range(3)
        for step in play(variant.game, seats, seed).steps
        for move in (step.move, *game.legal_moves(step.before, step.actor))
    }
    for kind in get_args(game.move_type):
        heading = guide_of(game).heading(moves[kind])
        assert heading.text[0].isupper(), kind
        assert not heading.text.endswith("."), kind


@pytest.mark.parametrize(("game", "seats"), GUIDED)
def test_facts_of_seats_have_the_same_labels_throughout(game: AnyGame, seats: int) -> None:
    for state in spread(play(game, seats, 4).states, STATES):
        view = game.view(state, None)
        facts = [guide_of(game).facts(view, seat) for seat in range(seats)]
        assert all(fact.label and fact.value for one in facts for fact in one)
        assert all(len({fact.label for fact in one}) == len(one) for one in facts)


@pytest.mark.parametrize(("game", "seats"), GUIDED)
def test_annotations_are_sentences_about_what_the_viewer_sees(game: AnyGame, seats: int) -> None:
    noted = 0
    for state in spread(play(game, seats, 5).states, STATES):
        for viewer in viewers_of(seats):
            known = seen_ids(game, state, viewer)
            for note in guide_of(game).annotations(game.view(state, viewer), viewer):
                noted += 1
                assert note.id in known, note
                assert not note.of or note.of in known, note
                assert re.fullmatch(r"[A-Z{].*\.", fill(note.text, NAMES[:seats])), note
                assert len(note.badge) <= 12, note
    assert noted


@pytest.mark.parametrize(("game", "seats"), GUIDED)
def test_a_guide_tells_no_secret(game: AnyGame, seats: int) -> None:
    """What a viewer cannot tell apart has equal words, ways and annotations."""
    for number, state in enumerate(spread(play(game, seats, 6).states, STATES)):
        for viewer in viewers_of(seats):
            twin = game.redeal(state, viewer, dice(6, number))
            assert said(game, twin, viewer) == said(game, state, viewer)


def said(game: AnyGame, state: Any, viewer: Viewer) -> tuple[Any, ...]:
    """Return all that a guide says of a position to a viewer."""
    guide, view = guide_of(game), game.view(state, viewer)
    moves = () if viewer is None else game.legal_moves(state, viewer)
    return (
        guide.task(view),
        [guide.facts(view, seat) for seat in range(len(game.scores(state)))],
        guide.annotations(view, viewer),
        [(guide.heading(move), guide.paths(move, view)) for move in moves],
    )


def test_every_game_that_draws_itself_has_a_guide() -> None:
    for game in all_games().values():
        assert (game.look is LOOK) == (game.guide is None), game.id


@pytest.mark.parametrize(
    ("part", "faulty", "check"),
    [
        ("paths", lambda move, view: (("province:KIS",),), test_each_legal_move_has_paths_of_its_own),
        ("paths", lambda move, view: ((f"move:{move}",),), test_each_legal_move_has_paths_of_its_own),
        ("paths", lambda move, view: (), test_each_legal_move_has_paths_of_its_own),
        ("touched", lambda event: ("nowhere",), test_events_touch_what_lies_on_the_table_before_or_after_them),
        ("gains", lambda event: (), test_the_gains_of_a_game_add_up_to_its_final_scores),
        ("task", lambda view: "wait", test_there_is_a_task_exactly_while_a_seat_has_to_decide),
        ("facts", lambda view, seat: (Fact("ships", ""),), test_facts_of_seats_have_the_same_labels_throughout),
        (
            "annotations",
            lambda view, viewer: (Annotation("nowhere", "A note."),),
            test_annotations_are_sentences_about_what_the_viewer_sees,
        ),
        (
            "annotations",
            lambda view, viewer: (Annotation("province:KIS", "a note"),),
            test_annotations_are_sentences_about_what_the_viewer_sees,
        ),
    ],
)
def test_a_faulty_guide_is_noticed(part: str, faulty: Callable[..., Any], check: Callable[..., None]) -> None:
    game = all_games()["kreta"]
    guide = replace(guide_of(game), **{part: faulty})
    with pytest.raises(AssertionError):
        check(replace(game, guide=guide), 2)
