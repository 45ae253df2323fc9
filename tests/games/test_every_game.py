"""Every game passes every check of the conformance suite, in every edition and variant, with every number of seats.

So does every supported earlier ruleset. There are no exceptions.
"""

from __future__ import annotations

import pytest

from skerry_games.api import AnyGame
from skerry_games.catalogue import all_games, earlier_rulesets
from tests.games.conformance import (
    METADATA_CHECKS,
    PLAY_CHECKS,
    MetadataCheck,
    PlayCheck,
    check_replays_identically,
    deep_seeds_of,
    in_edition,
    seeds_of,
)
from tests.games.variants import Variant, all_variants, earlier_variants

SUPPORTED = (*all_games().values(), *earlier_rulesets().values())
GAMES = [pytest.param(variant, id=variant.id) for variant in all_variants()]


def is_deep(variant: Variant, seats: int) -> bool:
    """Whether only `make test-deep` runs the table: it is neither the smallest nor the largest of the default game."""
    return seats != variant.game.seats[0] and (variant.name != "" or seats != variant.game.seats[-1])


TABLES = [
    pytest.param(
        in_edition(variant.game, edition),
        seats,
        id=f"{variant.id}-{edition}-{seats}",
        marks=[pytest.mark.deep] if is_deep(variant, seats) else [],
    )
    for variant in (*all_variants(), *earlier_variants())
    for edition in variant.game.editions
    for seats in variant.game.seats
]


def test_there_are_games() -> None:
    assert GAMES


@pytest.mark.parametrize("game", [pytest.param(game, id=game.ruleset) for game in SUPPORTED])
@pytest.mark.parametrize("check", METADATA_CHECKS, ids=lambda check: check.__name__)
def test_metadata(game: AnyGame, check: MetadataCheck) -> None:
    check(game)


@pytest.mark.parametrize(("game", "seats"), TABLES)
@pytest.mark.parametrize("check", PLAY_CHECKS, ids=lambda check: check.__name__)
def test_play(game: AnyGame, seats: int, check: PlayCheck) -> None:
    for seed in seeds_of(check):
        check(game, seats, seed)


@pytest.mark.deep
@pytest.mark.parametrize(("game", "seats"), TABLES)
@pytest.mark.parametrize("check", PLAY_CHECKS, ids=lambda check: check.__name__)
def test_play_with_more_seeds(game: AnyGame, seats: int, check: PlayCheck) -> None:
    for seed in deep_seeds_of(check):
        check(game, seats, seed)


@pytest.mark.parametrize("variant", GAMES)
def test_a_game_plays_the_same_in_every_process(variant: Variant) -> None:
    check_replays_identically(variant.source, variant.game.seats, (1,))


@pytest.mark.deep
@pytest.mark.parametrize("variant", GAMES)
def test_more_games_play_the_same_in_every_process(variant: Variant) -> None:
    check_replays_identically(variant.source, variant.game.seats, (2, 3, 4, 5))
