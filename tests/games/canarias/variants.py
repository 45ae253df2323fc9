"""The game with all options otherwise: islands are dealt, and there are three of each settler."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from skerry_games.api import AnyGame
from skerry_games.canarias import GAME
from skerry_games.canarias.state import DeckOption, IslandOption, Options


class DealtTriples(Options, frozen=True):
    """Options whose defaults are the other ones."""

    islands: IslandOption = IslandOption.DEAL
    deck: DeckOption = DeckOption.TRIPLES


DEALT_TRIPLES: Final[AnyGame] = replace(GAME, options_type=DealtTriples, seats=(3,))
