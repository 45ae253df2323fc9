"""Checks of arguments before the client sends a request. Error messages have the form ``argument: Sentence.``

A value of the wrong type raises TypeError; a value out of bounds raises ValueError.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, TypeVar, get_args

from google.protobuf.message import Message

from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2

M = TypeVar("M", bound=Message)
CELL = re.compile(r"[a-z][a-z0-9-]{0,15}")
"""The id of a cell."""
View = Literal["full", "scene", "full_with_scene"]
"""How much of the game a position contains."""
PictureFormat = Literal["svg", "png"]
Theme = Literal["light", "dark", "print"]
"""The colours of a picture. ``print`` has a white ground."""
InstructionTheme = Literal["light", "dark", "print", "variables"]
"""The colours of the pictures of instructions. ``variables``: custom properties of the page that shows them."""
EmoteName = Literal["hello", "good_luck", "well_played", "thanks", "oops", "good_game"]
"""What a player can say to the table."""
EVENTS = ("turn", "nudge", "deadline", "end", "rematch")
"""What a webhook of a seat or host receives."""
ENDPOINT_EVENTS = ("create", "join", "start", "move", *EVENTS)
"""What an endpoint of an application receives."""
_HOST_AND_PORT = re.compile(r"(\[[^]]*\]|[^]:/[]*)(:(?P<port>[0-9]*))?")
_LAST_PORT = 65_535


def text(name: str, value: Any, meaning: str) -> str:
    """Return a string that is not empty. ``meaning`` describes it in the error message."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: Pass {meaning} as a string, not {_shown(value)}.")
    if not value:
        raise ValueError(f"{name}: Pass {meaning}; the string is empty.")
    return value


def secret(name: str, value: Any, meaning: str) -> str:
    """Return a token or a key. Error messages do not show it."""
    text(name, value, meaning)
    if not value.isascii() or not value.isprintable():
        raise ValueError(
            f"{name}: Pass {meaning} unchanged. This value has an invalid character, perhaps a line break."
        )
    return str(value)


def language(value: Any) -> str:
    """Return a language tag; an empty string for ``None``."""
    return "" if value is None else secret("language", value, "a language tag")


def cell(name: str, value: Any) -> str:
    """Return the id of a cell."""
    text(name, value, "the id of a cell")
    if not CELL.fullmatch(value):
        raise ValueError(f"{name}: Pass the id of a cell such as eu1, not {value!r}.")
    return str(value)


def address(name: str, value: str) -> str:
    """Return the address of a server: ``HOST:PORT``, or another form that gRPC knows, such as ``unix:PATH``.

    URLs raise ValueError.
    """
    if value.startswith(("http://", "https://")):
        raise ValueError(f"{name}: Pass HOST:PORT of the server, not a URL.")
    match = _HOST_AND_PORT.fullmatch(value)
    if match is not None and not 0 < int(match["port"] or 0) <= _LAST_PORT:
        raise ValueError(f"{name}: Pass HOST:PORT, with a port from 1 to {_LAST_PORT}, not {_shown(value)}.")
    return value


def whole(name: str, value: Any, low: int, high: int | None = None) -> int:
    """Return an integer from ``low`` to ``high``. ``high=None`` means no upper bound."""
    bounds = f"from {low} to {high}" if high is not None else f"of at least {low}"
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name}: Pass a whole number {bounds}, not {_shown(value)}.")
    if value < low or (high is not None and value > high):
        raise ValueError(f"{name}: Pass a whole number {bounds}, not {value}.")
    return value


def labels(name: str, value: Any) -> dict[str, str]:
    """Return labels as a mapping from strings to strings; an empty one for ``None``."""
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(item, str) for pair in value.items() for item in pair):
        raise TypeError(
            f"{name}: Pass a mapping from strings to strings, for example {{'ladder': 'gold'}}, not {_shown(value)}."
        )
    return dict(value)


def boolean(name: str, value: Any) -> bool:
    """Return True or False."""
    if not isinstance(value, bool):
        raise TypeError(f"{name}: Pass True or False, not {_shown(value)}.")
    return value


def message(name: str, value: Any, message_type: type[M]) -> M | None:
    """Return a message of that type, or ``None``."""
    if value is not None and not isinstance(value, message_type):
        raise TypeError(f"{name}: Pass a {message_type.DESCRIPTOR.name} message, not {_shown(value)}.")
    return value


def choice(name: str, value: Any, allowed: Sequence[str]) -> str:
    """Return the value if it is one of the allowed strings."""
    if value in allowed:
        return str(value)
    error = ValueError if isinstance(value, str) else TypeError
    raise error(f"{name}: Pass {_either(allowed)}, not {_shown(value)}.")


def view(value: Any) -> api.PositionView.ValueType:
    """Return how much of the game a response contains."""
    return api.PositionView.Value(f"POSITION_VIEW_{choice('view', value, get_args(View)).upper()}")


def emote(value: Any) -> session_pb2.Emote.ValueType:
    """Return what a player says."""
    return session_pb2.Emote.Value(f"EMOTE_{choice('emote', value, get_args(EmoteName)).upper()}")


def events(value: Any, allowed: Sequence[str]) -> list[str]:
    """Return the names of webhook events."""
    if isinstance(value, str) or not isinstance(value, Collection):
        raise TypeError(f"events: Pass a list of events, not {_shown(value)}.")
    return [choice("events", event, allowed) for event in value]


def seconds(name: str, value: Any, *, zero: bool = False) -> float:
    """Return a number of seconds above 0, or at least 0 if ``zero`` is allowed."""
    bounds = "of at least 0" if zero else "above 0"
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError(f"{name}: Pass a number of seconds {bounds}, not {_shown(value)}.")
    if not (value >= 0 if zero else value > 0):  # NaN fails both comparisons
        raise ValueError(f"{name}: Pass a number of seconds {bounds}, not {value}.")
    return float(value)


def seat_numbers(name: str, value: Any, seats: int) -> Collection[int]:
    """Return seat numbers: those in a collection, or the last ones of ``seats`` if the value is a number."""
    if isinstance(value, int) and not isinstance(value, bool):
        return range(seats - whole(name, value, 0, seats), seats)
    if not isinstance(value, Collection) or isinstance(value, str | bytes):
        raise TypeError(f"{name}: Pass how many seats, from 0 to {seats}, or a list of seats, not {_shown(value)}.")
    return [whole(name, seat, 0, seats - 1) for seat in value]


def handles(name: str, value: Any, seats: int) -> dict[int, str]:
    """Return a mapping from seats to the handles of bots; an empty one for ``None``."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise TypeError(f"{name}: Pass a mapping from seats to the handles of bots, not {_shown(value)}.")
    return {whole(name, seat, 0, seats - 1): text(name, item, "the handle of a bot") for seat, item in value.items()}


def _shown(value: Any) -> str:
    """Return a value for an error message: its ``repr`` if that is short, else its type."""
    shown = repr(value)
    return shown if len(shown) <= 40 and "\n" not in shown else f"a {type(value).__name__}"


def _either(allowed: Sequence[str]) -> str:
    *others, last = map(repr, allowed)
    return f"{', '.join(others)} or {last}" if others else last
