"""A Play call over Connect, which needs HTTP/2: requests and responses travel at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import AbstractContextManager, aclosing
from typing import Any

from skerry.v1 import service_pb2 as api
from skerry_client.transport.connect_errors import error_of_response
from skerry_client.transport.enveloped_messages import enveloped, messages_in, parsed
from skerry_client.transport.http2_request import Http2Request


class ConnectExchange:
    """One Play call."""

    def __init__(
        self, opening: Coroutine[Any, Any, Http2Request], errors: Callable[[], AbstractContextManager[None]]
    ) -> None:
        """``errors``: raises the errors of connections as those of the client."""
        self._opening = asyncio.ensure_future(opening)
        self._errors = errors
        self._responses = self._receive()
        self._ended = False
        self._callbacks: list[Callable[[], None]] = []

    def on_end(self, callback: Callable[[], None]) -> None:
        """Run the callback once the call has ended, with or without an error."""
        self._callbacks.append(callback)

    async def write(self, request: api.PlayRequest) -> None:
        """Send a request. Calls must not overlap."""
        with self._errors():
            connection = await self._opening
            await connection.send(enveloped(request.SerializeToString()))

    async def read(self) -> api.PlayResponse | None:
        """Return the next response; ``None`` after the last."""
        response = None
        try:
            with self._errors():
                response = await anext(self._responses, None)
        finally:
            if response is None:
                self.cancel()
        return response

    async def _receive(self) -> AsyncGenerator[api.PlayResponse, None]:
        connection = await self._opening
        if (status := await connection.status()) != 200:
            async with aclosing(connection.parts()) as parts:
                raise error_of_response(status, b"".join([part async for part in parts]))
        async with aclosing(messages_in(connection.parts())) as messages:
            async for message in messages:
                yield parsed(api.PlayResponse, message)

    def cancel(self) -> None:
        """Cancel the call."""
        if self._ended:
            return
        self._ended = True
        if not self._opening.cancel() and not self._opening.cancelled() and self._opening.exception() is None:
            self._opening.result().close()
        for callback in self._callbacks:
            callback()
