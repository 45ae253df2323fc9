"""Moves and events that random games rarely have, for the list of sentences."""

from __future__ import annotations

from typing import Final

from skerry_games.canarias.events import (
    DeckRenewed,
    DrawingBegun,
    Event,
    NoHouseLeft,
    NothingLoaded,
    PirateDiverted,
    ShipArrived,
)
from skerry_games.canarias.moves import Move

MOVES: Final[tuple[Move, ...]] = ()
EVENTS: Final[tuple[Event, ...]] = (
    DeckRenewed(1),
    DrawingBegun(0, 1),
    DrawingBegun(0, 0),
    NothingLoaded(0),
    ShipArrived(1),
    NoHouseLeft(1),
    PirateDiverted(1, None, True),
)
