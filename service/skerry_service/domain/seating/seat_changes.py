"""Names of the occupants of seats, and the numbers of seats after the start has removed open ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

from msgspec.structs import replace

from skerry_service.domain.errors import NameTaken, SeatOpen
from skerry_service.domain.record import Occupant, SeatRecord
from skerry_service.domain.seating.display_names import look_alike


def name_bots(seats: tuple[SeatRecord, ...]) -> tuple[SeatRecord, ...]:
    """Return the seats with names for unnamed bots: "Bot 1", "Bot 2" and so on, continuing after named bots."""
    numbers = count(1 + sum(one.occupant is Occupant.BOT and one.name != "" for one in seats))
    return tuple([_named(one, numbers) for one in seats])


def _named(one: SeatRecord, numbers: count[int]) -> SeatRecord:
    if one.occupant is not Occupant.BOT or one.name:
        return one
    return replace(one, name=f"Bot {next(numbers)}")


def renumber_seat_options(options: Any, named: Sequence[str], kept: Sequence[int]) -> Any:
    """Return a game's options with seats renumbered: the seat ``kept[n]`` becomes seat n.

    ``named``: the options that name a seat (``Game.seat_options``). Raises SeatOpen if an option names a removed seat.
    """
    changes = {}
    for option in named:
        if (seat := getattr(options, option)) is not None:
            if seat not in kept:
                raise SeatOpen(option, seat)
            changes[option] = kept.index(seat)
    return replace(options, **changes)


def require_name_available(seats: tuple[SeatRecord, ...], name: str) -> None:
    """Raise NameTaken if a seat has this name or one that looks the same."""
    for one in seats:
        if one.name and look_alike(one.name, name):
            raise NameTaken(one.name)
