"""Puts what callers write into the messages that the service reads: moves, options, names, seeds, choices."""

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
"""As many as the API takes; no game has so many."""
MOST_SAMPLES = 64
"""As many as the API deals in one call."""
_WANTED = {
    payload_pb2.Move: "move: Pass one of position.legal_moves, or a Move message of the game",
    payload_pb2.GameOptions: "options: Pass a mapping, for example {'start_seat': 1}, or the game's Options message",
}


def wrapped(wrapper: type[W], message: Message) -> W:
    """Return the message as the case of ``wrapper`` that holds its type; a wrapper itself is returned as it is."""
    if isinstance(message, wrapper):
        return message
    if not isinstance(message, Message):
        raise TypeError(f"{_WANTED[wrapper]}, not {message!r}.")
    for field in wrapper.DESCRIPTOR.oneofs_by_name["game"].fields:
        if field.message_type is message.DESCRIPTOR:
            return wrapper(**{field.name: message})  # type: ignore[arg-type]
    raise TypeError(f"{_WANTED[wrapper]}, not a {message.DESCRIPTOR.full_name}.")


def game_options(game: str, options: Message | Mapping[str, Any] | None) -> payload_pb2.GameOptions | None:
    """Return a game's options from a message or from a mapping like its JSON: ``{"start_seat": 1}``."""
    if options is None:
        return None
    if isinstance(options, Message):
        return wrapped(payload_pb2.GameOptions, options)
    if not isinstance(options, Mapping):
        raise TypeError(f"{_WANTED[payload_pb2.GameOptions]}, not {options!r}.")
    known = [field.name for field in payload_pb2.GameOptions.DESCRIPTOR.oneofs_by_name["game"].fields]
    if game not in known:
        raise ValueError(f"options: This client knows the options of {', '.join(known)}, not those of {game!r}.")
    try:
        return ParseDict({game: dict(options)}, payload_pb2.GameOptions())
    except ParseError as error:
        raise ValueError(f"options: These are no options of {game}: {error}") from None


def seat_setups(
    seats: int,
    bots: int | Collection[int] | Mapping[int, str],
    level: str,
    reserved: Mapping[int, str] | None = None,
) -> list[api.SeatSetup]:
    """Return the set-up of each seat. ``bots``: how many, on the last seats; or which seats, or the level of each.

    ``reserved``: handles of bots by the seats that are open to them alone.
    """
    handles = arguments.handles("reserved", reserved, seats)
    numbers = arguments.seat_numbers("bots", bots, arguments.whole("seats", seats, 1, MOST_SEATS))
    arguments.text("level", level, "how bots decide, one of the levels of the game")
    levels = bots if isinstance(bots, Mapping) else dict.fromkeys(numbers, level)
    for one in levels.values():
        arguments.text("bots", one, "how the bot decides, one of the levels of the game")
    bot = session.Occupant.OCCUPANT_BOT
    return [
        api.SeatSetup(occupant=bot, level=levels[seat], reserved_for=handles.get(seat, ""))
        if seat in numbers
        else api.SeatSetup(occupant=session.Occupant.OCCUPANT_OPEN, reserved_for=handles.get(seat, ""))
        for seat in range(seats)
    ]


def seat_counts(seats: int | Collection[int] | None) -> list[int]:
    """Return numbers of seats from one, some or none."""
    given: Any = [] if seats is None else [seats] if isinstance(seats, int) else seats
    if not isinstance(given, Collection) or isinstance(given, str | bytes):
        raise TypeError(f"seats: Pass a number of seats, or a list of them, not {seats!r}.")
    return [arguments.whole("seats", one, 1, MOST_SEATS) for one in given]


def clock_range(clock: session.Clock | api.ClockRange | None) -> api.ClockRange:
    """Return a range of clocks from one, from a single clock, or from none."""
    if isinstance(clock, api.ClockRange):
        return clock
    return api.ClockRange(least=arguments.message("clocks", clock, session.Clock))


def seed_bytes(seed: bytes | str | None) -> bytes:
    """Return the seed from bytes or hexadecimal digits; nothing if there is none."""
    if seed is None:
        return b""
    if isinstance(seed, str):
        if not re.fullmatch(f"[0-9a-fA-F]{{{2 * SEED_BYTES}}}", seed):
            raise ValueError(f"seed: Pass {2 * SEED_BYTES} hexadecimal digits, or {SEED_BYTES} bytes.")
        return bytes.fromhex(seed)
    if not isinstance(seed, bytes):
        raise TypeError(f"seed: Pass {SEED_BYTES} bytes, or {2 * SEED_BYTES} hexadecimal digits, not {seed!r}.")
    if len(seed) != SEED_BYTES:
        raise ValueError(f"seed: Pass {SEED_BYTES} bytes, not {len(seed)}; or {2 * SEED_BYTES} hexadecimal digits.")
    return seed


def session_name(name: str) -> str:
    """Return the resource name of a session that is given by name or id."""
    arguments.text("name", name, "the name of a session, 'sessions/...'")
    return name if name.startswith("sessions/") else f"sessions/{name}"


def game_name(game: str) -> str:
    """Return the resource name of a game that is given by name or id."""
    return f"games/{game_id(game)}"


def game_id(game: str) -> str:
    """Return the id of a game that is given by name or id."""
    return arguments.text("game", game, "the id of a game (for example 'kreta')").removeprefix("games/")
