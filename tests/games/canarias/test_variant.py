"""The other options: the conformance suite once more, with islands dealt and three of each settler, and a recording.

``python -m tests.games.canarias.test_variant`` records the game anew.
"""

from __future__ import annotations

from dataclasses import replace as with_changes
from pathlib import Path

import pytest

from skerry_service.games.api import AnyGame
from skerry_service.games.canarias import GAME
from tests.games.canarias.random_games import VARIANT
from tests.games.conformance import PLAY_CHECKS, PlayCheck
from tests.games.golden import record

DEALT: AnyGame = with_changes(GAME, setup=lambda options, seats: GAME.setup(VARIANT, seats))
RECORDING = Path(__file__).with_name("dealt_triples_3_seats.txt")
SEATS = 3


def recorded() -> str:
    """Return the recording, which names the options that it was made with."""
    return record(with_changes(DEALT, options_type=lambda: VARIANT), SEATS)  # type: ignore[arg-type]


@pytest.mark.parametrize("check", PLAY_CHECKS, ids=lambda check: check.__name__)
def test_the_other_options_pass_every_check(check: PlayCheck) -> None:
    """CANARIAS-SETUP-3"""
    check(DEALT, SEATS, 1)


def test_the_other_options_play_as_recorded() -> None:
    assert recorded().splitlines() == RECORDING.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    RECORDING.write_text(recorded(), encoding="utf-8")
