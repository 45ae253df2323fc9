"""The same game with other options than the default ones, for checks and recordings that know only defaults."""

from __future__ import annotations

from dataclasses import replace as with_changes
from typing import Any, Final

from skerry_service.games.api import AnyGame
from skerry_service.games.small_islands import GAME
from skerry_service.games.small_islands.state import Layout, Mode, Options

VARIANTS: Final = {
    "advanced": Options(mode=Mode.ADVANCED),
    "free": Options(mode=Mode.ADVANCED, start_layout=Layout.FREE, start_seat=1),
    "narrow": Options(start_layout=Layout.FREE, table_size=6),
}
RECORDED: Final = tuple((name, seats) for name in ("advanced", "free") for seats in GAME.seats)


def variant(name: str) -> AnyGame:
    """Return the game with the options of that name as its defaults."""
    options = VARIANTS[name]

    def defaults() -> Any:
        return options

    return with_changes(GAME, options_type=defaults)  # type: ignore[arg-type]
