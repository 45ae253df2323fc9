"""Puts what callers write into the messages that the service reads: moves, options, names, seeds, choices."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from google.protobuf.json_format import ParseDict, ParseError
from google.protobuf.message import Message

from skerry.v1 import payload_pb2
from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2 as session

W = TypeVar("W", payload_pb2.Move, payload_pb2.GameOptions)

SEED_BYTES = 32


def wrapped(wrapper: type[W], message: Message) -> W:
    """Return the message as the case of ``wrapper`` that holds its type; a wrapper itself is returned as it is."""
    if isinstance(message, wrapper):
        return message
    for field in wrapper.DESCRIPTOR.oneofs_by_name["game"].fields:
        if field.message_type is message.DESCRIPTOR:
            return wrapper(**{field.name: message})  # type: ignore[arg-type]
    raise TypeError(f"{message.DESCRIPTOR.full_name} is no {wrapper.DESCRIPTOR.name} of any game")


def game_options(game: str, options: Message | Mapping[str, Any] | None) -> payload_pb2.GameOptions | None:
    """Return a game's options from a message or from a mapping like its JSON: ``{"start_seat": 1}``."""
    if options is None:
        return None
    if isinstance(options, Message):
        return wrapped(payload_pb2.GameOptions, options)
    try:
        return ParseDict({game: dict(options)}, payload_pb2.GameOptions())
    except ParseError as error:
        raise ValueError(f"these are no options of {game}: {error}") from None


def seat_setups(seats: int, bots: int | Collection[int]) -> list[api.SeatSetup]:
    """Return the set-up of each seat. ``bots``: how many, on the last seats; or which seats."""
    numbers = range(seats - bots, seats) if isinstance(bots, int) else bots
    if stray := sorted(set(numbers) - set(range(seats))):
        raise ValueError(f"no seat for bot {stray[0]}: the seats are 0 to {seats - 1}")
    bot = session.Occupant.OCCUPANT_BOT
    return [api.SeatSetup(occupant=bot if seat in numbers else session.Occupant.OCCUPANT_OPEN) for seat in range(seats)]


def seed_bytes(seed: bytes | str | None) -> bytes:
    """Return the seed from bytes or hexadecimal digits; nothing if there is none."""
    if seed is None:
        return b""
    given = bytes.fromhex(seed) if isinstance(seed, str) else seed
    if len(given) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes ({2 * SEED_BYTES} hexadecimal digits), not {len(given)}")
    return given


def session_name(name: str) -> str:
    """Return the resource name of a session that is given by name or id."""
    return name if name.startswith("sessions/") else f"sessions/{name}"


def game_name(game: str) -> str:
    """Return the resource name of a game that is given by name or id."""
    return game if game.startswith("games/") else f"games/{game}"
