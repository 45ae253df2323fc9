"""Seats that not every caller may take: those kept for the players of a finished game, and those of named bots.

A bot has a secret token and a public handle: a name, ``~``, and a fingerprint of the token. The creator of a session
reserves a seat for a handle; the bot sends its token to take the seat. So servers need no list of bots, and a handle
works on every server. The name is for people only: the fingerprint identifies the bot.
"""

from __future__ import annotations

import re
from hashlib import sha256

from skerry_service.domain.clocks import Moment
from skerry_service.domain.errors import LimitReached, SeatReserved, SeatTaken
from skerry_service.domain.languages.phrases import listed, phrase, verbatim
from skerry_service.domain.record import Occupant, Record

HANDLE = r"[a-z][a-z0-9_.-]{0,31}~[0-9a-f]{32}"
"""The form of a handle, as a regular expression."""
BOT_TOKEN = r"skerry_bot_[a-z2-7]{26}"
"""The form of a bot token."""
_HANDLE, _TOKEN = re.compile(HANDLE), re.compile(BOT_TOKEN)


def is_handle(text: str) -> bool:
    """Return whether a text has the form of a handle."""
    return _HANDLE.fullmatch(text) is not None


def is_bot_token(text: str) -> bool:
    """Return whether a text has the form of a bot token.

    A token has 128 random bits, because its published fingerprint permits guessing offline.
    """
    return _TOKEN.fullmatch(text) is not None


def fingerprint_of(token: str) -> str:
    """Return the fingerprint of a bot token, as handles contain it."""
    return sha256(token.encode("ascii")).hexdigest()[:32]


def choose_seat(record: Record, wanted: int | None, bot: str) -> int:
    """Return the open seat that a caller takes. ``bot``: the caller's proven fingerprint; empty for none.

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


def require_all_answered(record: Record, now: Moment) -> None:
    """Raise LimitReached if the host of a rematch must wait for players of the finished game.

    The first caller becomes the host. Without this, a player who lost could cancel the rematch or drop the winner.
    """
    left_ms = record.kept_until - now.uptime_ms
    awaited = [one.name for one in record.seats if one.occupant is Occupant.KEPT]
    if left_ms > 0 and awaited:
        sentence = phrase("limit-kept-seats", players=listed(map(verbatim, awaited)), number=len(awaited))
        raise LimitReached("kept_seats", sentence, retry_after=left_ms / 1000)


def has_seat_reserved_for(record: Record, handle: str) -> bool:
    """Return whether an open seat is reserved for the bot with this handle."""
    return any(record.seats[seat].reserved_for == handle for seat in record.open_seats())
