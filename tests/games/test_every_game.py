"""Every game of the catalogue, in every edition and with every number of seats, passes every check.

There are no exceptions.
"""

from __future__ import annotations

import pytest

from skerry_service.games.api import AnyGame
from skerry_service.games.catalogue import all_games
from tests.games.conformance import (
    CARD_CHECKS,
    PLAY_CHECKS,
    CardCheck,
    PlayCheck,
    check_replays_identically,
    in_edition,
)

SEEDS = (1, 2, 3)
GAMES = [pytest.param(game, id=game.id) for game in all_games().values()]
TABLES = [
    pytest.param(in_edition(game, edition), seats, id=f"{game.id}-{edition}-{seats}")
    for game in all_games().values()
    for edition in game.editions
    for seats in game.seats
]


def test_there_are_games() -> None:
    assert GAMES


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("check", CARD_CHECKS, ids=lambda check: check.__name__)
def test_what_a_game_says_of_itself(game: AnyGame, check: CardCheck) -> None:
    check(game)


@pytest.mark.parametrize(("game", "seats"), TABLES)
@pytest.mark.parametrize("check", PLAY_CHECKS, ids=lambda check: check.__name__)
def test_how_a_game_plays(game: AnyGame, seats: int, check: PlayCheck) -> None:
    for seed in SEEDS:
        check(game, seats, seed)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_plays_the_same_in_every_process(game: AnyGame) -> None:
    check_replays_identically(f"skerry_service.games.{game.id}:GAME", game.seats, SEEDS)
