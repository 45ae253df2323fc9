"""The turbulent game for two seats (TENERIFE-TWO-2), and the one with another farmer's symbol (TENERIFE-FARMER-1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from skerry_games.api import AnyGame
from skerry_games.tenerife import GAME
from skerry_games.tenerife.state import Options


class Turbulent(Options, frozen=True):
    """Options whose default is a turbulent game."""

    turbulent: bool = True


class Puerto(Options, frozen=True):
    """Options whose default is a farmer's symbol at Puerto de la Cruz."""

    puerto_farmer: bool = True


TURBULENT: Final[AnyGame] = replace(GAME, options_type=Turbulent, seats=(2,))
PUERTO: Final[AnyGame] = replace(GAME, options_type=Puerto, seats=(3,))
