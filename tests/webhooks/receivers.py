"""A receiver of webhooks on this machine, over real HTTP, that answers as it is told."""

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
class Got:
    """A request that came."""

    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def told(self) -> dict[str, Any]:
        return dict(json.loads(self.body))

    @property
    def event(self) -> tuple[str, int | None]:
        return self.told["event"].removeprefix("WEBHOOK_EVENT_"), self.told.get("seat")

    def is_signed_with(self, secret: str) -> bool:
        """Whether it is, by the rules that docs/how-to/webhooks.md gives to receivers."""
        kind, _, key = secret.partition("_")
        signed = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + self.body
        expected = "v1," + b64encode(hmac.new(b64decode(key), signed, sha256).digest()).decode()
        return kind == "whsec" and hmac.compare_digest(expected, self.headers["webhook-signature"])


class Receiver:
    """Keeps what came."""

    def __init__(self) -> None:
        self.got: list[Got] = []
        self.answer: Callable[[], bytes | None] = lambda: GOOD
        """``None``: there is none, until the sender goes."""
        self.port = 0
        self._came = asyncio.Condition()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hooks?of=skerry"

    @property
    def events(self) -> list[tuple[str, int | None]]:
        return [one.event for one in self.got]

    async def has(self, count: int) -> Got:
        """Wait for that many requests; return the last of them."""
        async with asyncio.timeout(PATIENCE), self._came:
            await self._came.wait_for(lambda: len(self.got) >= count)
        return self.got[count - 1]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            self.got.append(await _read(reader))
            async with self._came:
                self._came.notify_all()
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


async def _read(reader: asyncio.StreamReader) -> Got:
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
            return Got(request.target.decode(), headers, body)
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
