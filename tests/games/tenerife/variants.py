"""The turbulent game for two seats (TENERIFE-TWO-2)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from skerry_service.games.api import AnyGame
from skerry_service.games.tenerife import GAME
from skerry_service.games.tenerife.state import Options


class Turbulent(Options, frozen=True):
    """Options whose default is a turbulent game."""

    turbulent: bool = True


TURBULENT: Final[AnyGame] = replace(GAME, options_type=Turbulent, seats=(2,))
