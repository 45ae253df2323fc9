"""Every move and event has a description, and the descriptions distinguish legal moves."""

from __future__ import annotations

from skerry_games.api import AnyGame
from skerry_games.sentences import fill
from tests.games.conformance.masks import masks
from tests.games.conformance.play import play, viewers_of
from tests.games.conformance.texts import NAMES, one_line


def check_moves_have_words(game: AnyGame, seats: int, seed: int) -> None:
    """A move's description is one line without a full stop. Two legal moves of an actor have different descriptions.

    Descriptions of masked moves have the same form, but may be equal.
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
    """The description of an event, as each viewer sees it, is one line: a sentence with a full stop."""
    for step in play(game, seats, seed).steps:
        for viewer in viewers_of(seats):
            for event in step.events:
                shown = game.show(event, viewer)
                if shown is not None:
                    _expect_sentence(fill(game.say(shown), NAMES[:seats]))


def _expect_imperative(text: str) -> None:
    assert one_line(text), f"not one line of text: {text!r}"
    assert "{" not in text, f"a brace that is no placeholder: {text!r}"
    assert not text.endswith("."), f"a move in words has no full stop: {text!r}"
    assert text[0].islower(), f"a move in words begins in lower case: {text!r}"


def _expect_sentence(text: str) -> None:
    assert one_line(text), f"not one line of text: {text!r}"
    assert "{" not in text, f"a brace that is no placeholder: {text!r}"
    assert text[0].isupper() and text.endswith(".") and not text.endswith(".."), f"not a sentence: {text!r}"
