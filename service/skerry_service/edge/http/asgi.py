"""The types of ASGI 3 that the service uses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]
"""An application."""
Headers = Mapping[bytes, bytes]
"""Values by header name in lower case."""
HeaderList = list[tuple[bytes, bytes]]


@dataclass(slots=True)
class HttpExchange:
    """One request, and the means to answer it."""

    scope: Scope
    headers: Headers
    receive: Receive
    send: Send
    response_headers: HeaderList
    """Headers of every response to it."""
