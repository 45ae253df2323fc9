"""A webhook receiver on this machine, over real HTTP, whose responses the tests choose."""

from __future__ import annotations

import asyncio
import hmac
import json
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import h11

PATIENCE = 20.0
GOOD = b"HTTP/1.1 204 No Content\r\n\r\n"
BAD = b"HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n"


@dataclass
class ReceivedRequest:
    """A request of a webhook."""

    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def type(self) -> str:
        return str(json.loads(self.body)["type"])

    @property
    def data(self) -> dict[str, Any]:
        return dict(json.loads(self.body)["data"])

    @property
    def event(self) -> tuple[str, int | None]:
        return self.type, self.data.get("seat")

    def is_signed_with(self, secret: str) -> bool:
        """Whether the signature is valid, by the rules of docs/how-to/webhooks.md."""
        kind, _, key = secret.partition("_")
        signed = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + self.body
        expected = "v1," + b64encode(hmac.new(b64decode(key), signed, sha256).digest()).decode()
        return kind == "whsec" and expected in self.headers["webhook-signature"].split(" ")


class Receiver:
    """Records the requests."""

    def __init__(self) -> None:
        self.requests: list[ReceivedRequest] = []
        self.answer: Callable[[], bytes | None] = lambda: GOOD
        """Returns the response; ``None``: none until the sender disconnects."""
        self.port = 0
        self._arrived = asyncio.Condition()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hooks?of=skerry"

    @property
    def events(self) -> list[tuple[str, int | None]]:
        return [one.event for one in self.requests]

    async def has(self, count: int) -> ReceivedRequest:
        """Wait for that many requests; return the last of them."""
        async with asyncio.timeout(PATIENCE), self._arrived:
            await self._arrived.wait_for(lambda: len(self.requests) >= count)
        return self.requests[count - 1]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            self.requests.append(await _read(reader))
            async with self._arrived:
                self._arrived.notify_all()
            answer = self.answer()
            if answer is None:
                await reader.read()
            else:
                writer.write(answer)
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()


async def _read(reader: asyncio.StreamReader) -> ReceivedRequest:
    http, request, body = h11.Connection(h11.SERVER), None, b""
    while True:
        event = http.next_event()
        if isinstance(event, h11.Request):
            request = event
        elif isinstance(event, h11.Data):
            body += event.data
        elif isinstance(event, h11.EndOfMessage):
            assert request is not None
            assert request.method == b"POST"
            headers = {name.decode(): value.decode() for name, value in request.headers}
            return ReceivedRequest(request.target.decode(), headers, body)
        else:
            http.receive_data(await reader.read(4096))


@asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    receiver = Receiver()
    server = await asyncio.start_server(receiver.serve, "127.0.0.1", 0)
    receiver.port = server.sockets[0].getsockname()[1]
    try:
        yield receiver
    finally:
        server.close()
