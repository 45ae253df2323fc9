"""Moves and events that random games rarely produce, for the list of sentences."""

from __future__ import annotations

from typing import Final

from skerry_games.kreta.events import Event, GameEnded, MarchEnded
from skerry_games.kreta.moves import Move

MOVES: Final[tuple[Move, ...]] = ()
EVENTS: Final[tuple[Event, ...]] = (
    MarchEnded(0, 2, automatic=True),
    GameEnded((83, 61, 83), (0, 2)),
)
