"""HTTP as a client without any library speaks it, so that a test decides about every byte."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import grpc
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from skerry_service.domain.limits import SessionLimits
from skerry_service.edge.rest.routes import WHOLE, Routes
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import running_server
from tests.api.wire import SERVICE, Api, Transport
from tests.store.servers import PATIENCE

ROUTES = {route.rpc.name: route for route in reversed(Routes(SERVICE).all)}
"""The first route of each RPC."""


@dataclass
class Response:
    """One answer."""

    status: int
    headers: dict[str, str]
    """By name in lower case; those that occur several times are joined by commas."""
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def reason(self) -> str:
        """Why it was refused. Every error has this form."""
        error = self.json["error"]
        assert (error["code"], bool(error["message"])) == (self.status, True)
        info = error["details"][0]
        assert (info["@type"], info["domain"]) == ("type.googleapis.com/google.rpc.ErrorInfo", "skerry")
        return str(info["reason"])

    @property
    def metadata(self) -> dict[str, str]:
        metadata: dict[str, str] = self.json["error"]["details"][0]["metadata"]
        return metadata

    def message(self, rpc: str) -> Message:
        """Return the answer of an RPC as protobuf's own reader understands it."""
        assert self.status == 200, self
        return ParseDict(self.json, GetMessageClass(SERVICE.methods_by_name[rpc].output_type)())


@dataclass
class Web:
    """One server, over HTTP and, to compare, over gRPC."""

    address: str
    api: Api

    async def call(
        self, verb: str, path: str, body: Any = None, token: str | None = None, headers: Mapping[str, str] | None = None
    ) -> Response:
        """Send one request. ``body``: bytes as they are, anything else as JSON."""
        lines = dict(headers or {}) | ({"authorization": f"Bearer {token}"} if token else {})
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        if body is not None:
            lines = {"content-type": "application/json", "content-length": str(len(data))} | lines
        return await self.send(request(verb, path, lines) + data, head=verb == "HEAD")

    async def send(self, data: bytes, *, head: bool = False) -> Response:
        """Send bytes, whatever they are, over a connection of their own; return the answer."""
        async with asyncio.timeout(PATIENCE), connection(self.address) as (reader, writer):
            writer.write(data)
            return await read_response(reader, head=head)

    async def rpc(self, name: str, message: Message, token: str | None = None, **headers: str) -> Response:
        """Call an RPC over HTTP as its annotation says."""
        verb, path, body = as_http(name, message)
        return await self.call(verb, path, body, token, headers)


def as_http(name: str, message: Message) -> tuple[str, str, Any]:
    """Return method, path with query, and JSON body of a call."""
    route, values = ROUTES[name], MessageToDict(message)
    path = route.template.text
    for bound in route.template.fields:
        declared = path[path.index("{") : path.index("}") + 1]
        path = path.replace(declared, quote(str(values.pop(bound, "")), safe="/"))
    if route.body == WHOLE:
        return route.verb, path, values
    values.pop("format" if route.extension else "", None)
    query = "&".join(f"{key}={quote(str(value), safe='')}" for key, value in values.items())
    return route.verb, f"{path}?{query}" if query else path, None


def request(verb: str, path: str, headers: Mapping[str, str]) -> bytes:
    """Return the head of a request."""
    lines = [f"{verb} {path} HTTP/1.1", "host: test", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


@asynccontextmanager
async def connection(address: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open a connection; cut it off afterwards."""
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host.strip("[]"), int(port), limit=2**22)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def read_head(reader: asyncio.StreamReader) -> Response:
    """Read status and headers."""
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").rstrip("\r\n").split("\r\n")
    headers: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(": ")
        headers[name.lower()] = f"{headers[name.lower()]}, {value}" if name.lower() in headers else value
    return Response(int(first.split()[1]), headers, b"")


async def read_response(reader: asyncio.StreamReader, *, head: bool = False) -> Response:
    """Read a whole answer."""
    response = await read_head(reader)
    if not head and "content-length" in response.headers:
        response.body = await reader.readexactly(int(response.headers["content-length"]))
    return response


@dataclass
class Event:
    """One event of a stream."""

    id: int
    name: str
    data: Any


@dataclass
class Events:
    """An open stream. Comments are counted, not returned."""

    head: Response
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    comments: int = 0
    retry: int | None = None
    last: int = 0
    raw: bytearray = field(default_factory=bytearray)
    """Every byte of its events."""

    async def next(self) -> Event | None:
        """Return the next event; ``None`` when the stream ends."""
        name, data = "message", ""
        while (line := await self._line()) is not None:
            key, _, value = line.partition(": ")
            match key:
                case "" if line == "" and data:
                    return Event(self.last, name, json.loads(data))
                case "" if line:
                    self.comments += 1
                case "id":
                    self.last = int(value)
                case "event":
                    name = value
                case "data":
                    data += value
                case "retry":
                    self.retry = int(value)
        return None

    async def _line(self) -> str | None:
        """Read a line: each chunk of the transfer holds whole ones."""
        while b"\n" not in self._rest:
            async with asyncio.timeout(PATIENCE):
                size = int(await self.reader.readline() or b"0", 16)
                self._rest += (await self.reader.readexactly(size + 2))[:-2]
            if not size:
                return None
        line, _, rest = bytes(self._rest).partition(b"\n")
        self._rest[:] = rest
        self.raw += line
        return line.decode()

    def __post_init__(self) -> None:
        self._rest = bytearray()


@asynccontextmanager
async def events(
    web: Web, session: str, token: str | None = None, after: int | None = None, last_id: int | None = None
) -> AsyncIterator[Events]:
    """Observe a session over HTTP; the connection is cut off when the block is left."""
    query = "" if after is None else f"?afterSequence={after}"
    headers = {"authorization": f"Bearer {token}"} if token else {}
    headers |= {"last-event-id": str(last_id)} if last_id is not None else {}
    async with streamed(web, "GET", f"/v1/{session}:observe{query}", headers) as stream:
        yield stream


@asynccontextmanager
async def streamed(
    web: Web, verb: str, path: str, headers: Mapping[str, str], sent: object = None
) -> AsyncIterator[Events]:
    """Make any call that is answered with a stream, likewise."""
    body = b"" if sent is None else json.dumps(sent).encode()
    headers = {"accept": "text/event-stream", **headers}
    headers |= {"content-type": "application/json", "content-length": str(len(body))} if body else {}
    async with connection(web.address) as (reader, writer):
        writer.write(request(verb, path, headers) + body)
        async with asyncio.timeout(PATIENCE):
            head = await read_head(reader)
            if head.status != 200:
                head.body = await reader.readexactly(int(head.headers.get("content-length", 0)))
        yield Events(head, reader, writer)


@asynccontextmanager
async def served(store: EmbeddedServer, limits: SessionLimits | None = None, **settings: Any) -> AsyncIterator[Web]:
    """Run a server on free ports; offer its calls over the transport in use."""
    settings = {"grpc": Transport.grpc} | settings
    config = Config(port=0, http="127.0.0.1:0", redis_url=store.url, limits=limits or SessionLimits(), **settings)
    async with running_server(config) as running, grpc.aio.insecure_channel(running.address) as channel:
        assert running.http
        over_http = Transport.over_http
        calls = channel if over_http is None else over_http(running.http, channel)
        yield Web(running.http, Api(calls, running.address))
