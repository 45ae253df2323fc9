"""The game with all options otherwise: islands are dealt, and there are three of each settler."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from skerry_games.api import AnyGame
from skerry_games.canarias import GAME
from skerry_games.canarias.state import Deck, Islands, Options


class DealtTriples(Options, frozen=True):
    """Options whose defaults are the other ones."""

    islands: Islands = Islands.DEAL
    deck: Deck = Deck.TRIPLES


DEALT_TRIPLES: Final[AnyGame] = replace(GAME, options_type=DealtTriples, seats=(3,))
