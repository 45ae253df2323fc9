"""Moves as words: every move has one, no word begins another, and the numbers stay what they are."""

from __future__ import annotations

from typing import Any

import pytest

from skerry_arena.learning.action_encoding import ActionEncoding
from skerry_arena.learning.bounds import BoundsMissing
from skerry_arena.learning.move_selection import MoveSelection
from skerry_games.api import CHANCE, AnyGame
from skerry_games.catalogue import all_games
from tests.arena.learning.alphabets import file_of, written
from tests.games.conformance.play import play
from tests.games.pairs import GAME as PAIRS
from tests.games.variants import all_variants

VARIANTS = [pytest.param(variant.game, id=variant.id) for variant in all_variants()]


def decisions(game: AnyGame, seats: int, seed: int) -> list[tuple[Any, ...]]:
    """The legal moves of each decision of a seat in a game."""
    steps = [step for step in play(game, seats, seed).steps if step.actor != CHANCE]
    return [tuple(game.legal_moves(step.before, step.actor)) for step in steps]


@pytest.mark.parametrize("game", VARIANTS)
def test_every_legal_move_has_a_word_and_no_word_begins_another(game: AnyGame) -> None:
    spelling = ActionEncoding(game)
    for seats in game.seats:
        for moves in decisions(game, seats, seats):
            words = [spelling.spell(move) for move in moves]
            assert len(set(words)) == len(words)
            assert max(map(len, words)) <= spelling.longest
            beginnings = {word[:length] for word in words for length in range(1, len(word))}
            assert beginnings.isdisjoint(words)


@pytest.mark.parametrize("game", VARIANTS)
def test_spelling_what_is_possible_leads_to_every_move_and_to_nothing_else(game: AnyGame) -> None:
    spelling = ActionEncoding(game)
    for moves in decisions(game, game.seats[-1], 3)[::4]:
        reached: list[int] = []
        _spell_on(spelling, moves, (), reached)
        assert sorted(reached) == list(range(len(moves)))


def _spell_on(spelling: ActionEncoding, moves: tuple[Any, ...], actions: tuple[int, ...], reached: list[int]) -> None:
    """Take the actions, and then each that is possible."""
    decision, choice = MoveSelection(spelling, moves), None
    for action in actions:
        choice = decision.spell(action)
    if choice is not None:
        assert spelling.spell(moves[choice])[: len(decision.spelled)] == decision.spelled
        reached.append(choice)
        return
    assert len(decision.possible) > 1 or len(moves) == 1
    for action in decision.possible:
        _spell_on(spelling, moves, (*actions, action), reached)


def test_an_action_that_is_not_possible_is_refused_and_changes_nothing() -> None:
    game = all_games()["kreta"]
    spelling = ActionEncoding(game)
    decision = MoveSelection(spelling, decisions(game, 2, 1)[0])
    before = decision.spelled, decision.possible
    for action in {*range(-1, spelling.size + 1)} - set(decision.possible):
        with pytest.raises(KeyError):
            decision.spell(action)
    assert (decision.spelled, decision.possible) == before


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.id)
def test_the_numbers_of_actions_are_those_that_were_recorded(game: AnyGame) -> None:
    assert file_of(game).read_text(encoding="utf-8") == written(game), "python -m tests.arena.learning.alphabets"


def test_a_game_without_bounds_says_so() -> None:
    with pytest.raises(BoundsMissing, match="Pairs"):
        ActionEncoding(PAIRS)
