"""Conversion of arguments into messages and names of the API."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from google.protobuf.json_format import ParseDict, ParseError
from google.protobuf.message import Message

from skerry.v1 import payload_pb2
from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2 as session
from skerry_client import arguments

W = TypeVar("W", payload_pb2.Move, payload_pb2.GameOptions)

SEED_BYTES = 32
MOST_SEATS = 16
"""The API's limit. No game has as many seats."""
MOST_SAMPLES = 64
"""The API's limit for one call."""
_EXPECTED = {
    payload_pb2.Move: "move: Pass one of position.legal_moves, or a Move message of the game",
    payload_pb2.GameOptions: "options: Pass a mapping, for example {'start_seat': 1}, or the game's Options message",
}


def wrapped(wrapper: type[W], message: Message) -> W:
    """Return a wrapper that holds the message in the field of its type; a wrapper itself is returned unchanged."""
    if isinstance(message, wrapper):
        return message
    if not isinstance(message, Message):
        raise TypeError(f"{_EXPECTED[wrapper]}, not {message!r}.")
    for field in wrapper.DESCRIPTOR.oneofs_by_name["game"].fields:
        if field.message_type is message.DESCRIPTOR:
            return wrapper(**{field.name: message})  # type: ignore[arg-type]
    raise TypeError(f"{_EXPECTED[wrapper]}, not a {message.DESCRIPTOR.full_name}.")


def game_options(game: str, options: Message | Mapping[str, Any] | None) -> payload_pb2.GameOptions | None:
    """Return a game's options from a message, or from a mapping in the form of its JSON: ``{"start_seat": 1}``."""
    if options is None:
        return None
    if isinstance(options, Message):
        return wrapped(payload_pb2.GameOptions, options)
    if not isinstance(options, Mapping):
        raise TypeError(f"{_EXPECTED[payload_pb2.GameOptions]}, not {options!r}.")
    known = [field.name for field in payload_pb2.GameOptions.DESCRIPTOR.oneofs_by_name["game"].fields]
    if game not in known:
        raise ValueError(f"options: This client knows the options of {', '.join(known)}, but not of {game!r}.")
    try:
        return ParseDict({game: dict(options)}, payload_pb2.GameOptions())
    except ParseError as error:
        raise ValueError(f"options: Invalid options of {game}: {error}") from None


def seat_setups(
    seats: int,
    bots: int | Collection[int] | Mapping[int, str],
    level: str,
    reserved: Mapping[int, str] | None = None,
) -> list[api.SeatSetup]:
    """Return the set-up of each seat. The arguments are those of ``AsyncClient.create``."""
    handles = arguments.handles("reserved", reserved, seats)
    numbers = arguments.seat_numbers("bots", bots, arguments.whole("seats", seats, 1, MOST_SEATS))
    arguments.text("level", level, "one of the game's levels")
    levels = bots if isinstance(bots, Mapping) else dict.fromkeys(numbers, level)
    for bot_level in levels.values():
        arguments.text("bots", bot_level, "one of the game's levels")
    bot = session.Occupant.OCCUPANT_BOT
    return [
        api.SeatSetup(occupant=bot, level=levels[seat], reserved_for=handles.get(seat, ""))
        if seat in numbers
        else api.SeatSetup(occupant=session.Occupant.OCCUPANT_OPEN, reserved_for=handles.get(seat, ""))
        for seat in range(seats)
    ]


def seat_counts(seats: int | Collection[int] | None) -> list[int]:
    """Return a list of numbers of seats from a number, a collection or ``None``."""
    given: Any = [] if seats is None else [seats] if isinstance(seats, int) else seats
    if not isinstance(given, Collection) or isinstance(given, str | bytes):
        raise TypeError(f"seats: Pass a number of seats, or a list of them, not {seats!r}.")
    return [arguments.whole("seats", count, 1, MOST_SEATS) for count in given]


def clock_range(clock: session.Clock | api.ClockRange | None) -> api.ClockRange:
    """Return a range of clocks from a range, a single clock or ``None``."""
    if isinstance(clock, api.ClockRange):
        return clock
    return api.ClockRange(least=arguments.message("clocks", clock, session.Clock))


def party_members(party: Collection[str | api.PartyMember]) -> list[api.PartyMember]:
    """Return the members of a party from names and messages."""
    given: Any = party
    if not isinstance(given, Collection) or isinstance(given, str | bytes):
        raise TypeError(f"party: Pass a list of names or PartyMember messages, not {party!r}.")
    return [
        member
        if isinstance(member, api.PartyMember)
        else api.PartyMember(display_name=arguments.text("party", member, "the name of each player"))
        for member in given
    ]


def seed_bytes(seed: bytes | str | None, field: str = "seed") -> bytes:
    """Return the 32 bytes of a field from bytes or hexadecimal digits; empty for ``None``."""
    if seed is None:
        return b""
    if isinstance(seed, str):
        if not re.fullmatch(f"[0-9a-fA-F]{{{2 * SEED_BYTES}}}", seed):
            raise ValueError(f"{field}: Pass {2 * SEED_BYTES} hexadecimal digits, or {SEED_BYTES} bytes.")
        return bytes.fromhex(seed)
    if not isinstance(seed, bytes):
        raise TypeError(f"{field}: Pass {SEED_BYTES} bytes, or {2 * SEED_BYTES} hexadecimal digits, not {seed!r}.")
    if len(seed) != SEED_BYTES:
        raise ValueError(f"{field}: Pass {SEED_BYTES} bytes, not {len(seed)}; or {2 * SEED_BYTES} hexadecimal digits.")
    return seed


def session_name(name: str) -> str:
    """Return the resource name of a session from its name or id."""
    arguments.text("name", name, "the name of a session, 'sessions/...'")
    return name if name.startswith("sessions/") else f"sessions/{name}"


def game_name(game: str) -> str:
    """Return the resource name of a game from its name or id."""
    return f"games/{game_id(game)}"


def game_id(game: str) -> str:
    """Return the id of a game from its name or id."""
    return arguments.text("game", game, "the id of a game (for example 'kreta')").removeprefix("games/")
