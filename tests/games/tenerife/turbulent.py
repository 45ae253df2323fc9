"""The turbulent game for two seats as a game of its own, so that it passes everything that every game passes."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from skerry_service.games.api import AnyGame
from skerry_service.games.tenerife import GAME as TENERIFE
from skerry_service.games.tenerife.state import Options


class TurbulentOptions(Options, frozen=True):
    """Options whose default is a turbulent game."""

    turbulent: bool = True


GAME: Final[AnyGame] = replace(TENERIFE, options_type=TurbulentOptions, seats=(2,))
