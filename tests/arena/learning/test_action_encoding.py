"""Moves as sequences: every move has one, no word begins another, and the numbers stay what they are."""

from __future__ import annotations

from typing import Any

import pytest

from skerry_arena.learning.encoding.action_encoding import ActionEncoding
from skerry_arena.learning.encoding.move_selection import MoveSelection
from skerry_games.api import CHANCE, AnyGame
from skerry_games.catalogue import all_games
from tests.arena.learning.action_names import file_of, written
from tests.games.conformance.play import play
from tests.games.variants import all_variants

VARIANTS = [pytest.param(variant.game, id=variant.id) for variant in all_variants()]


def decisions(game: AnyGame, seats: int, seed: int) -> list[tuple[Any, ...]]:
    """Return the legal moves of each decision of a seat in a game."""
    steps = [step for step in play(game, seats, seed).steps if step.actor != CHANCE]
    return [tuple(game.legal_moves(step.before, step.actor)) for step in steps]


@pytest.mark.parametrize("game", VARIANTS)
def test_every_legal_move_has_a_sequence_and_none_is_a_prefix_of_another(game: AnyGame) -> None:
    encoding = ActionEncoding(game)
    for seats in game.seats:
        for moves in decisions(game, seats, seats):
            sequences = [encoding.encode(move) for move in moves]
            assert len(set(sequences)) == len(sequences)
            assert max(map(len, sequences)) <= encoding.longest
            beginnings = {each[:length] for each in sequences for length in range(1, len(each))}
            assert beginnings.isdisjoint(sequences)


@pytest.mark.parametrize("game", VARIANTS)
def test_possible_actions_lead_to_every_legal_move_and_to_no_other(game: AnyGame) -> None:
    encoding = ActionEncoding(game)
    for moves in decisions(game, game.seats[-1], 3)[::4]:
        reached: list[int] = []
        _explore(encoding, moves, (), reached)
        assert sorted(reached) == list(range(len(moves)))


def _explore(encoding: ActionEncoding, moves: tuple[Any, ...], actions: tuple[int, ...], reached: list[int]) -> None:
    """Take the given actions, then explore each possible one."""
    selection = MoveSelection([encoding.encode(move) for move in moves])
    taken: MoveSelection | int = selection
    for action in actions:
        assert isinstance(taken, MoveSelection)
        selection, taken = taken, taken.take(action)
    if not isinstance(taken, MoveSelection):
        assert encoding.encode(moves[taken])[: len(selection.prefix)] == selection.prefix
        reached.append(taken)
        return
    assert len(taken.possible) > 1 or len(moves) == 1
    for action in taken.possible:
        _explore(encoding, moves, (*actions, action), reached)


def test_an_impossible_action_raises_and_changes_nothing() -> None:
    game = all_games()["kreta"]
    encoding = ActionEncoding(game)
    selection = MoveSelection([encoding.encode(move) for move in decisions(game, 2, 1)[0]])
    before = selection.prefix, selection.possible
    for action in {*range(-1, encoding.size + 1)} - set(selection.possible):
        with pytest.raises(KeyError):
            selection.take(action)
    assert (selection.prefix, selection.possible) == before


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
def test_the_numbers_of_actions_and_features_match_the_recording(game: AnyGame) -> None:
    assert file_of(game).read_text(encoding="utf-8") == written(game), "python -m tests.arena.learning.action_names"
