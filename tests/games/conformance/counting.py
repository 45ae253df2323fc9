"""Pieces stay constant, and points add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from skerry_games.api import AnyGame
from tests.games.conformance.play import play, viewers_of
from tests.games.conformance.totals import count_pieces, points_of


def check_pieces_stay(game: AnyGame, seats: int, seed: int) -> None:
    """The total of each kind of piece stays constant from setup to the end, after every legal move."""
    played = play(game, seats, seed)
    total = count_pieces(game, played.first)
    assert total, "a game has pieces"
    assert all(count > 0 for count in total.values()), f"a kind of piece of which there is none: {total}"
    for step in played.steps:
        for move in game.legal_moves(step.before, step.actor):
            after, _ = game.apply(step.before, step.actor, move)
            now = count_pieces(game, after)
            assert now == total, f"pieces came or went with {move}: {now}, not {total}"


def check_points_add_up(game: AnyGame, seats: int, seed: int) -> None:
    """After each step, the points of the events so far add up to the scores. At the end, the outcome has them too."""
    played = play(game, seats, seed)
    total = Counter(dict(enumerate(game.scores(played.first))))
    assert not any(total.values()), "a game begins without points"
    for step in played.steps:
        _add(game, total, step.events)
        assert game.scores(step.after) == _by_seat(total, seats), f"the points do not add up after {step.move}"
    outcome = game.outcome(played.last)
    assert outcome is not None, "no outcome at the end"
    assert outcome.scores == _by_seat(total, seats), "the outcome has other scores"


def check_points_are_public(game: AnyGame, seats: int, seed: int) -> None:
    """Every viewer can add up the scores from the events that it is shown."""
    for viewer in viewers_of(seats):
        for step in play(game, seats, seed).steps:
            shown = [event for event in (game.show(event, viewer) for event in step.events) if event is not None]
            seen, given = Counter[int](), Counter[int]()
            _add(game, seen, shown)
            _add(game, given, step.events)
            assert _by_seat(seen, seats) == _by_seat(given, seats), (
                f"viewer {viewer} does not see all points: {step.events}"
            )


def _add(game: AnyGame, total: Counter[int], events: Iterable[Any]) -> None:
    for event in events:
        for seat, points in points_of(game, event).items():
            total[seat] += points


def _by_seat(total: Counter[int], seats: int) -> tuple[int, ...]:
    assert set(total) <= set(range(seats)), f"points for a seat that does not exist: {dict(total)}"
    return tuple(total[seat] for seat in range(seats))
