"""Words: every move and event can be read, and what is read tells moves apart."""

from __future__ import annotations

from skerry_games.api import AnyGame
from skerry_games.sentences import fill
from tests.games.conformance.masks import masks
from tests.games.conformance.play import play, viewers_of
from tests.games.conformance.texts import NAMES, one_line


def check_moves_have_words(game: AnyGame, seats: int, seed: int) -> None:
    """A move reads as one line without a full stop, and no two moves of a listing read the same.

    Moves that are masked for somebody read likewise, but may read the same.
    """
    for mask in masks(game, seats, seed):
        _expect_imperative(fill(game.say_move(mask), NAMES[:seats]))
    for state in play(game, seats, seed).states:
        for actor in game.to_act(state):
            words = [fill(game.say_move(move), NAMES[:seats]) for move in game.legal_moves(state, actor)]
            for text in words:
                _expect_imperative(text)
            twice = {text for text in words if words.count(text) > 1} if len(set(words)) < len(words) else None
            assert not twice, f"two moves read the same: {twice}"


def check_events_have_words(game: AnyGame, seats: int, seed: int) -> None:
    """Each event, as each viewer is shown it, reads as one line, a sentence with a full stop."""
    for step in play(game, seats, seed).steps:
        for viewer in viewers_of(seats):
            for event in step.events:
                shown = game.show(event, viewer)
                if shown is not None:
                    _expect_sentence(fill(game.say(shown), NAMES[:seats]))


def _expect_imperative(text: str) -> None:
    assert one_line(text), f"not one line of text: {text!r}"
    assert "{" not in text, f"a brace that stands for nobody: {text!r}"
    assert not text.endswith("."), f"a move in words has no full stop: {text!r}"
    assert text[0].islower(), f"a move in words begins in lower case: {text!r}"


def _expect_sentence(text: str) -> None:
    assert one_line(text), f"not one line of text: {text!r}"
    assert "{" not in text, f"a brace that stands for nobody: {text!r}"
    assert text[0].isupper() and text.endswith(".") and not text.endswith(".."), f"not a sentence: {text!r}"
