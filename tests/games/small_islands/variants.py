"""The same game with other options as its default ones, for checks and recordings that know only defaults."""

from __future__ import annotations

from dataclasses import replace as with_changes
from typing import Final

from skerry_service.games.api import AnyGame
from skerry_service.games.small_islands import GAME
from skerry_service.games.small_islands.state import Layout, Mode, Options


class Advanced(Options, frozen=True):
    """Missions and rewards."""

    mode: Mode = Mode.ADVANCED


class Free(Advanced, frozen=True):
    """Missions and rewards, and a start seat that lays the starting tiles."""

    start_layout: Layout = Layout.FREE
    start_seat: int | None = 1


class Narrow(Options, frozen=True):
    """A table on which there is soon no place left."""

    start_layout: Layout = Layout.FREE
    table_size: int = 6


VARIANTS: Final[dict[str, type[Options]]] = {"advanced": Advanced, "free": Free, "narrow": Narrow}
RECORDED: Final = tuple((name, seats) for name in ("advanced", "free") for seats in GAME.seats)


def variant(name: str) -> AnyGame:
    """Return the game with the options of that name as its defaults."""
    return with_changes(GAME, options_type=VARIANTS[name])
