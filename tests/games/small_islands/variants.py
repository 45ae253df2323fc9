"""The advanced mode, starting tiles that the start seat lays, and a table on which there is soon no place left."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from skerry_games.api import AnyGame
from skerry_games.small_islands import GAME
from skerry_games.small_islands.state import Layout, Mode, Options


class Advanced(Options, frozen=True):
    """Missions and rewards (SMALL-SETUP-1)."""

    mode: Mode = Mode.ADVANCED


class Free(Advanced, frozen=True):
    """Missions and rewards, and a start seat that lays the starting tiles (SMALL-SETUP-4)."""

    start_layout: Layout = Layout.FREE
    start_seat: int | None = 1


class Narrow(Options, frozen=True):
    """The smallest table, and a start seat that lays the starting tiles (SMALL-TABLE-1)."""

    start_layout: Layout = Layout.FREE
    table_size: int = 6


ADVANCED: Final[AnyGame] = replace(GAME, options_type=Advanced)
FREE: Final[AnyGame] = replace(GAME, options_type=Free, seats=(3,))
NARROW: Final[AnyGame] = replace(GAME, options_type=Narrow, seats=(2,))
