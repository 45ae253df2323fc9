"""Moves and events that random games rarely have, for the list of sentences."""

from __future__ import annotations

from typing import Final

from skerry_games.tenerife.events import Event, HallScored, NoEffect, Reason
from skerry_games.tenerife.moves import Move
from skerry_games.tenerife.state import Character

MOVES: Final[tuple[Move, ...]] = ()
EVENTS: Final[tuple[Event, ...]] = (
    NoEffect(2, 0, Character.MASON, Reason.TOWN_FULL),
    NoEffect(2, 0, Character.MASON, Reason.HALL_FULL),
    NoEffect(2, 0, Character.THIEVES, Reason.NO_MANSION),
    NoEffect(2, 0, Character.FARMER, Reason.STORAGE_FULL),
    NoEffect(2, 0, Character.THIEVES, Reason.NO_WAREHOUSE),
    NoEffect(2, 0, Character.THIEVES, Reason.THIEVES_BEHIND),
    NoEffect(3, 0, Character.THIEVES, Reason.FREED),
    NoEffect(2, 0, Character.THIEVES, Reason.NO_PLOT),
    HallScored(0, (), 0),
)
