"""Checks of what callers pass, before anything is sent. What is refused is told as ``argument: Sentence.``

A value of the wrong type is a TypeError, one that is out of bounds a ValueError.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

from google.protobuf.message import Message

M = TypeVar("M", bound=Message)
_EVENTS = ("turn", "nudge", "deadline", "end")
_HOST_AND_PORT = re.compile(r"(\[[^]]*\]|[^]:/[]*)(:(?P<port>[0-9]*))?")
_LAST_PORT = 65_535


def text(name: str, value: Any, meaning: str) -> str:
    """Return a text that is not empty. ``meaning`` says in the refusal what it is."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: Pass {meaning} as a text, not {_shown(value)}.")
    if not value:
        raise ValueError(f"{name}: Pass {meaning}; the text is empty.")
    return value


def secret(name: str, value: Any, meaning: str) -> str:
    """Return a token or a key, which no refusal shows."""
    text(name, value, meaning)
    if not value.isascii() or not value.isprintable():
        raise ValueError(f"{name}: Pass {meaning} as you got it; this holds what none has, perhaps the end of a line.")
    return str(value)


def address(name: str, value: str) -> str:
    """Return where a server is. That of its HTTP is none: calls go over gRPC, which has a port of its own.

    Other names that gRPC knows, such as ``unix:PATH``, are left to it.
    """
    if value.startswith(("http://", "https://")):
        raise ValueError(f"{name}: Pass HOST:PORT, where the server speaks gRPC, not the URL of a page or of its REST.")
    plain = _HOST_AND_PORT.fullmatch(value)
    if plain is not None and not 0 < int(plain["port"] or 0) <= _LAST_PORT:
        raise ValueError(f"{name}: Pass HOST:PORT, with a port from 1 to {_LAST_PORT}, not {_shown(value)}.")
    return value


def whole(name: str, value: Any, low: int, high: int | None = None) -> int:
    """Return a whole number from ``low`` to ``high``, without a bound above if that is ``None``."""
    bounds = f"from {low} to {high}" if high is not None else f"of at least {low}"
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name}: Pass a whole number {bounds}, not {_shown(value)}.")
    if value < low or (high is not None and value > high):
        raise ValueError(f"{name}: Pass a whole number {bounds}, not {value}.")
    return value


def labels(name: str, value: Any) -> dict[str, str]:
    """Return labels, texts by text; none for ``None``."""
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(one, str) for pair in value.items() for one in pair):
        raise TypeError(
            f"{name}: Pass a mapping from texts to texts, for example {{'ladder': 'gold'}}, not {_shown(value)}."
        )
    return dict(value)


def truth(name: str, value: Any) -> bool:
    """Return True or False."""
    if not isinstance(value, bool):
        raise TypeError(f"{name}: Pass True or False, not {_shown(value)}.")
    return value


def message(name: str, value: Any, kind: type[M]) -> M | None:
    """Return a message of that kind, or ``None``."""
    if value is not None and not isinstance(value, kind):
        raise TypeError(f"{name}: Pass a {kind.DESCRIPTOR.name} message, not {_shown(value)}.")
    return value


def choice(name: str, value: Any, allowed: Sequence[str]) -> str:
    """Return one of the texts that are allowed."""
    if value in allowed:
        return str(value)
    kind = ValueError if isinstance(value, str) else TypeError
    raise kind(f"{name}: Pass {_either(allowed)}, not {_shown(value)}.")


def events(value: Any) -> list[str]:
    """Return the names of what a webhook is told of."""
    if isinstance(value, str) or not isinstance(value, Collection):
        raise TypeError(f"events: Pass a list of events, not {_shown(value)}.")
    return [choice("events", one, _EVENTS) for one in value]


def seconds(name: str, value: Any, *, zero: bool = False) -> float:
    """Return a number of seconds above 0, or at least 0 if ``zero`` is allowed."""
    bounds = "of at least 0" if zero else "above 0"
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError(f"{name}: Pass a number of seconds {bounds}, not {_shown(value)}.")
    if not (value >= 0 if zero else value > 0):  # and so no NaN either
        raise ValueError(f"{name}: Pass a number of seconds {bounds}, not {value}.")
    return float(value)


def seat_numbers(name: str, value: Any, seats: int) -> Collection[int]:
    """Return which of so many seats are meant: those in a collection, or the last ones if it is a number."""
    if isinstance(value, int) and not isinstance(value, bool):
        return range(seats - whole(name, value, 0, seats), seats)
    if not isinstance(value, Collection) or isinstance(value, str | bytes):
        raise TypeError(f"{name}: Pass how many seats, from 0 to {seats}, or a list of seats, not {_shown(value)}.")
    return [whole(name, seat, 0, seats - 1) for seat in value]


def handles(name: str, value: Any, seats: int) -> dict[int, str]:
    """Return handles of bots by their seats; none for ``None``."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise TypeError(f"{name}: Pass a mapping from seats to the handles of bots, not {_shown(value)}.")
    return {whole(name, seat, 0, seats - 1): text(name, one, "the handle of a bot") for seat, one in value.items()}


def _shown(value: Any) -> str:
    """Return a value for a sentence: short ones as they are, else what they are."""
    shown = repr(value)
    return shown if len(shown) <= 40 and "\n" not in shown else f"a {type(value).__name__}"


def _either(allowed: Sequence[str]) -> str:
    *others, last = map(repr, allowed)
    return f"{', '.join(others)} or {last}" if others else last
