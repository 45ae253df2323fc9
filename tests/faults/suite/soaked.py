"""The service with little patience: sessions end after seconds, and few tables are kept decoded.

So as many games as an hour brings can be played in minutes, and what fills up with games is full after the first third.
Called as ``skerry`` is.
"""

from __future__ import annotations

import sys
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from skerry_service.cli.app import run
from skerry_service.domain.limits import SessionLimits
from skerry_service.sessions.service import Sessions
from skerry_service.wiring import server as wiring

FINISHED_MS, OTHERS_MS = 2_000, 15_000
"""A session is looked at when its lobby could have ended: so long all of them are kept, and no game stands still."""
TABLES = 64


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


if __name__ == "__main__":
    with patch.object(wiring, "Sessions", _impatient):
        sys.exit(run())
