"""The front door: every call of every transport comes in here, and nowhere else.

A transport (``grpc``, ``rest``, the local client) hands over the name of the RPC and a function that reads what was
sent and one that tells who is calling. What is true of all calls is done here, once: limits are kept here, and whatever
is to count, time or log calls has its place in ``Front.answer``, ``Front.messages`` and ``Front.exchange``.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractContextManager, aclosing, nullcontext
from typing import Any

from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import Message as ProtoMessage

from skerry_service.api.checks import require_known_fields
from skerry_service.api.contract import SERVICE
from skerry_service.api.methods import Methods
from skerry_service.api.telling import Message
from skerry_service.quotas.gate import Gate
from skerry_service.quotas.origins import HERE, Peer
from skerry_service.sessions.service import Sessions

Read = Callable[[], tuple[ProtoMessage, str | None]]
"""Returns the request and the caller's bearer token, ``None`` without one. May raise refusals."""
Who = Callable[[], Peer]
"""Returns who is calling. Asked only where calls are limited: a move is let in without."""

_NO_PLACES: AbstractContextManager[None] = nullcontext()


class Front:
    """The door of one service. ``methods`` has a method for each RPC: ``get_session`` for ``GetSession``."""

    def __init__(
        self, service: ServiceDescriptor, methods: object, require_open: Callable[[], None], gate: Gate | None = None
    ) -> None:
        """``require_open`` raises what calls are refused with when the server is about to stop.

        ``gate``: who keeps the limits; ``None``: there are none.
        """
        self.service = service
        self._calls = {rpc.name: getattr(methods, _method_name(rpc.name)) for rpc in service.methods}
        self._require_open = require_open
        self._gate = gate
        self._limited = gate.limited if gate else frozenset()

    async def answer(self, rpc: str, read: Read, who: Who = lambda: HERE) -> Any:
        """Make a unary call; return its answer. Raises the refusals of ``errors.TABLE``."""
        request, token = self._let_in(read)
        if self._gate and rpc in self._limited:
            await self._gate.admit(rpc, who())
        return await self._calls[rpc](request, token)

    async def messages(self, rpc: str, read: Read, who: Who = lambda: HERE) -> AsyncGenerator[Message, None]:
        """Make a streaming call. Raises likewise, before the first message and after any."""
        request, token = self._let_in(read)
        reader, places = await self._admit(rpc, who)
        with places:
            async with aclosing(self._calls[rpc](request, token, reader)) as messages:
                async for message in messages:
                    yield message

    async def exchange(
        self,
        rpc: str,
        receive: Callable[[], Awaitable[ProtoMessage | None]],
        token: Callable[[], str | None],
        who: Who = lambda: HERE,
    ) -> AsyncGenerator[bytes, None]:
        """Make a call that streams in both directions; yield its answers in wire format. Raises likewise.

        ``receive`` returns the next request, ``None`` after the last.
        """
        self._require_open()
        sent = token()

        async def known() -> ProtoMessage | None:
            request = await receive()
            if request is not None:
                require_known_fields(request)
            return request

        reader, places = await self._admit(rpc, who)
        with places:
            async with aclosing(self._calls[rpc](known, sent, reader)) as answers:
                async for answer in answers:
                    yield answer

    async def _admit(self, rpc: str, who: Who) -> tuple[str | None, AbstractContextManager[None]]:
        """Let a stream in; return who reads, as far as readers are told apart, and the stream's places."""
        if not self._gate or rpc not in self._limited:
            return None, _NO_PLACES
        origin = await self._gate.admit(rpc, who())
        return origin.reader, self._gate.stream(origin)

    def _let_in(self, read: Read) -> tuple[ProtoMessage, str | None]:
        self._require_open()
        request, token = read()
        require_known_fields(request)
        return request, token


def front_of(sessions: Sessions, gate: Gate | None = None) -> Front:
    """Return the front door of these sessions."""
    return Front(SERVICE, Methods(sessions), sessions.require_open, gate)


def _method_name(rpc: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", rpc).lower()
