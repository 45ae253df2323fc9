"""Seats in requests: their setup, their reservations, and the bots that take them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from skerry.v1 import service_pb2 as pb
from skerry_service.api.requests.field_rules import most_items
from skerry_service.api.requests.request_checks import choice_of, level_of
from skerry_service.domain.errors import InvalidField
from skerry_service.domain.languages.phrases import phrase
from skerry_service.domain.record import Occupant, SeatRecord
from skerry_service.domain.seating.reservations import fingerprint_of, is_bot_token, is_handle
from skerry_service.domain.table import OPEN

_MOST_SEATS = most_items("CreateSessionRequest.seats")


def seats_of(setups: Sequence[pb.SeatSetup], levels: Sequence[str]) -> tuple[SeatRecord, ...]:
    """Return the seats of a new session. Raises InvalidField."""
    if len(setups) > _MOST_SEATS:
        raise InvalidField("seats", phrase("field-most-seats", most=_MOST_SEATS))
    return tuple([_seat_of(setup, levels, f"seats[{seat}]") for seat, setup in enumerate(setups)])


def _seat_of(setup: pb.SeatSetup, levels: Sequence[str], path: str) -> SeatRecord:
    handle = handle_of(setup.reserved_for, f"{path}.reserved_for")
    if choice_of(setup, "occupant", (Occupant.OPEN, Occupant.BOT), f"{path}.occupant") is Occupant.OPEN:
        if setup.level:
            raise InvalidField(f"{path}.level", "An open seat has no level. Set OCCUPANT_BOT, or leave the level out.")
        return replace(OPEN, reserved_for=handle)
    if handle:
        raise InvalidField(f"{path}.reserved_for", "A bot of this server has the seat. Reserve an open seat.")
    return SeatRecord(Occupant.BOT, level=level_of(setup.level, levels, f"{path}.level"))


def handle_of(text: str, path: str) -> str:
    """Return the handle of a bot, or an empty text for none. Raises InvalidField."""
    if text and not is_handle(text):
        raise InvalidField(path, "A handle is a lowercase name, '~', and 32 lowercase hexadecimal digits.")
    return text


def bot_of(token: str) -> str:
    """Return the fingerprint of a bot's token, or an empty text for none. Raises InvalidField."""
    if not token:
        return ""
    if not is_bot_token(token):
        raise InvalidField("bot_token", "A bot token is skerry_bot_ and 26 lowercase letters and digits from 2 to 7.")
    return fingerprint_of(token)
