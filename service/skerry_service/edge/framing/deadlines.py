"""The timeouts that clients set for their calls."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine
from typing import Any, TypeVar

from skerry_service.edge.framing.transport_refusals import MalformedCall

T = TypeVar("T")

_GRPC_TIMEOUT = re.compile(rb"([0-9]{1,8})([HMSmun])")
_SECONDS_OF_UNIT = {b"H": 3600.0, b"M": 60.0, b"S": 1.0, b"m": 1e-3, b"u": 1e-6, b"n": 1e-9}
_CONNECT_TIMEOUT = re.compile(rb"[0-9]{1,10}")


class CallTimedOut(Exception):
    """The call did not finish within the client's timeout."""


def grpc_timeout(header: bytes | None) -> float | None:
    """Return the seconds in a ``grpc-timeout`` header, such as ``250m``; ``None`` without one. Raises MalformedCall."""
    if header is None:
        return None
    found = _GRPC_TIMEOUT.fullmatch(header)
    if found is None:
        raise MalformedCall("The header grpc-timeout is malformed. Send digits and a unit, such as 250m.")
    return int(found[1]) * _SECONDS_OF_UNIT[found[2]]


def connect_timeout(header: bytes | None) -> float | None:
    """Return the seconds in a ``Connect-Timeout-Ms`` header; ``None`` without one. Raises MalformedCall."""
    if header is None:
        return None
    if not _CONNECT_TIMEOUT.fullmatch(header):
        raise MalformedCall("The header Connect-Timeout-Ms is malformed. Send at most ten digits.")
    return int(header) / 1000


async def within(seconds: float | None, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of the work. Raises CallTimedOut if it takes longer. ``None``: it may take any time."""
    if seconds is None:
        return await work
    deadline = asyncio.timeout(seconds)
    try:
        async with deadline:
            return await work
    except TimeoutError:
        if deadline.expired():
            raise CallTimedOut from None
        raise
