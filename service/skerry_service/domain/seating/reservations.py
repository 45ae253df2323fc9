"""Bots with names that can be proved: seats are reserved for them, and nobody else takes those.

A bot has a token, which it keeps, and a handle, which it publishes: a name, ``~``, and a fingerprint of the token.
Whoever reserves a seat names the handle; whoever takes it shows the token. So nobody keeps a list of bots, any server
knows them all, and a handle is as good on another one. The name is for people: the fingerprint alone says who it is.
"""

from __future__ import annotations

import re
from hashlib import sha256

from skerry_service.domain.errors import SeatReserved, SeatTaken
from skerry_service.domain.record import Record

_HANDLE = re.compile(r"[a-z][a-z0-9_.-]{0,31}~[0-9a-f]{32}")
_TOKEN = re.compile(r"skerry_bot_[a-z2-7]{26}")


def is_handle(text: str) -> bool:
    """Whether it has the form of a handle."""
    return _HANDLE.fullmatch(text) is not None


def is_bot_token(text: str) -> bool:
    """Whether it has the form of a bot's token: 128 bits at random, for what is published of it could be tried out."""
    return _TOKEN.fullmatch(text) is not None


def fingerprint_of(token: str) -> str:
    """Return what a handle says of a token."""
    return sha256(token.encode("ascii")).hexdigest()[:32]


def choose_seat(record: Record, wanted: int | None, bot: str) -> int:
    """Return the open seat that a caller takes. ``bot``: the fingerprint that they have proved; empty: none.

    Raises SeatTaken, SeatReserved.
    """
    seats = record.open_seats()
    if wanted is not None and wanted not in seats:
        raise SeatTaken(wanted)
    fitting = [seat for seat in seats if record.seats[seat].is_for(bot)]
    if wanted is None and fitting:
        return fitting[0]
    if wanted is None or wanted not in fitting:
        raise SeatReserved(record.seats[seats[0] if wanted is None else wanted].reserved_for if not bot else "")
    return wanted


def has_seat_reserved_for(record: Record, handle: str) -> bool:
    """Whether an open seat of a lobby is reserved for that bot."""
    return any(record.seats[seat].reserved_for == handle for seat in record.open_seats())
