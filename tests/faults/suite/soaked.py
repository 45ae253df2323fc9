"""The service with little patience: sessions end after seconds, and few tables are kept decoded.

So as many games as an hour brings can be played in minutes, and what fills up with games is full after the first third.
The caches of the rules, which fill for a million moves, are filled by games before the start. Called as ``skerry`` is.
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from skerry_games.catalogue import all_games
from skerry_games.position import start
from skerry_games.rng import SeededRng
from skerry_service.cli.app import run
from skerry_service.domain.limits import SessionLimits
from skerry_service.sessions.service import Sessions
from skerry_service.wiring import server as wiring

FINISHED_MS, OTHERS_MS = 2_000, 15_000
"""A session is looked at when its lobby could have ended: so long all of them are kept, and no game stands still."""
TABLES = 64
GAMES_BEFORE = 400
"""Games of each kind before the start: ten seconds of processor time."""


def _impatient(*arguments: Any, limits: SessionLimits, **more: Any) -> Sessions:
    short = replace(
        limits,
        lobby_lifetime_ms=OTHERS_MS,
        game_lifetime_ms=OTHERS_MS,
        finished_lifetime_ms=FINISHED_MS,
        bots_lifetime_ms=FINISHED_MS,
        cached_tables=TABLES,
    )
    return Sessions(*arguments, limits=short, **more)


def _fill_caches_of_rules() -> None:
    random = Random(0)
    for number, game in enumerate([*all_games()] * GAMES_BEFORE):
        position = start(game, rng=SeededRng(number.to_bytes(32, "big"), 0))
        rng = SeededRng(number.to_bytes(32, "big"), 1)
        while position.to_act:
            seat = position.to_act[0]
            position = position.play(random.choice(position.legal_moves(seat)), seat, rng=rng)


if __name__ == "__main__":
    _fill_caches_of_rules()
    with patch.object(wiring, "Sessions", _impatient):
        sys.exit(run())
