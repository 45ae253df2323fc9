"""Simultaneous decisions: they stay secret until all seats have decided, and their order does not matter."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from skerry_games.api import AnyGame, Viewer
from tests.games.conformance.play import Step, advance, play, spread, viewers_of
from tests.games.conformance.secrecy import position
from tests.games.conformance.step_secrecy import shown


def check_simultaneous_choices_are_secret(game: AnyGame, seats: int, seed: int) -> None:
    """While other seats have to decide, no other viewer can see which move a seat chose."""
    for state, actors in _simultaneous_decisions(game, seats, seed):
        for actor in actors:
            steps = [advance(game, state, actor, move) for move in game.legal_moves(state, actor)]
            others = set(actors) - {actor}
            assert all(others <= set(game.to_act(step.after)) for step in steps), f"seat {actor} decides for others"
            for viewer in set(viewers_of(seats)) - {actor}:
                seen = [_seen(game, each, viewer) for each in steps]
                assert all(each == seen[0] for each in seen), f"viewer {viewer} sees what seat {actor} chose"


def check_simultaneous_choices_commute(game: AnyGame, seats: int, seed: int) -> None:
    """Simultaneous moves commute. None changes the legal moves of the other seats, or the resulting state."""
    for state, actors in _simultaneous_decisions(game, seats, seed):
        for first, second in combinations(actors, 2):
            listed = game.legal_moves(state, second)
            for mine in spread(game.legal_moves(state, first), 4):
                after = advance(game, state, first, mine).after
                assert game.legal_moves(after, second) == listed, f"seat {first} changes the choices of seat {second}"
                for other in spread(listed, 4):
                    one = advance(game, after, second, other).after
                    two = advance(game, advance(game, state, second, other).after, first, mine).after
                    assert one == two, f"the order of choices matters: {mine} and {other}"


def _seen(game: AnyGame, step: Step, viewer: Viewer) -> tuple[Any, ...]:
    shown_move = game.show_move(step.move, step.actor, viewer)
    return shown_move, shown(game, step.events, viewer), position(game, step.after, viewer)


def _simultaneous_decisions(game: AnyGame, seats: int, seed: int) -> Iterator[tuple[Any, tuple[int, ...]]]:
    for state in play(game, seats, seed).states:
        if len(game.to_act(state)) > 1:
            yield state, game.to_act(state)
