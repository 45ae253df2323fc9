"""The work of a sample is bounded, also where early cards of a sampled history leave none for late ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from skerry_games.rng import SeededRng
from skerry_games.small_islands import GAME, redeal
from skerry_games.small_islands.state import Mode, Options, State

from .random_games import states

DRAWS = 60
MOST = 2 * redeal._MAX_CANDIDATES
"""Hands tried for one sample of these positions. An unlimited search tries 13,900 for every sixth of them."""


def position(seed: int, number: int) -> State:
    """Return a position of a random game."""
    return next(islice(states(Options(mode=Mode.ADVANCED, table_size=20), 4, seed), number, None))


@pytest.mark.parametrize(("seed", "number", "viewer"), [(246, 260, 0), (274, 230, 3)])
def test_a_sample_of_a_position_with_many_dead_ends_tries_few_hands(
    monkeypatch: pytest.MonkeyPatch, seed: int, number: int, viewer: int
) -> None:
    tried = 0
    hands = redeal._DeckSampler.hands

    def counted(*arguments: Any) -> Iterator[Any]:
        nonlocal tried
        for hand in hands(*arguments):
            tried += 1
            yield hand

    monkeypatch.setattr(redeal._DeckSampler, "hands", counted)
    state, needed = position(seed, number), []
    for draw in range(DRAWS):
        tried = 0
        sampled = GAME.redeal(state, viewer, SeededRng(bytes(32), draw))
        assert GAME.view(sampled, viewer) == GAME.view(state, viewer)
        needed.append(tried)
    assert max(needed) > redeal._MAX_CANDIDATES, "at least one search starts over"
    assert max(needed) < redeal._ATTEMPTS * redeal._MAX_CANDIDATES
    assert sum(needed) < DRAWS * MOST


def test_a_search_that_always_exceeds_its_limit_still_finds_the_only_history() -> None:
    """The last of 300 items for each of two choices is the only one that fits."""

    def first(_: tuple[Any, ...]) -> Iterator[int]:
        yield from range(300)

    def second(chosen: tuple[Any, ...]) -> Iterator[int]:
        yield from (item for item in range(300) if (item, *chosen) == (299, 299))

    assert redeal._search([first, second]) == (299, 299)
    assert redeal._attempt([first, second], redeal._MAX_CANDIDATES) is None
    with pytest.raises(AssertionError, match="no history"):
        redeal._search([first, lambda _: iter(())])
