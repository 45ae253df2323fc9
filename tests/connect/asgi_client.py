"""Connect and gRPC-Web as a client without any library speaks them, into the application itself.

The service behind it is scripted, so that a test decides what each call does.
"""

from __future__ import annotations

import asyncio
import gzip
import json
from base64 import b64decode, b64encode, urlsafe_b64encode
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, unquote

from google.protobuf.json_format import MessageToJson, Parse
from google.protobuf.message import Message
from google.rpc import code_pb2
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from skerry.v1 import service_pb2 as pb
from skerry_service.api.contract import SERVICE
from skerry_service.api.endpoint import Endpoint
from skerry_service.edge.connect.procedures import procedures_of
from skerry_service.edge.framing.envelopes import COMPRESSED, END_STREAM, TRAILERS, EnvelopeReader, envelope
from skerry_service.edge.http.http_app import HttpApp
from skerry_service.edge.rest.rest_app import RestApp
from skerry_service.wire.serialized import serialize

NAME = "sessions/aaaaaaaaaaaaaaaa"
RESPONSES = {"GetSession": pb.GetSessionResponse, "Observe": pb.ObserveResponse, "Play": pb.PlayResponse}
Headers = dict[str, str]
Event = dict[str, Any]


@dataclass(frozen=True)
class Form:
    """A protocol with a codec and a compression."""

    protocol: str
    """``connect``, ``get``, ``web`` or ``web-text``."""
    codec: str = "proto"
    compressed: bool = False

    def __str__(self) -> str:
        return f"{self.protocol}-{self.codec}{'-gzip' if self.compressed else ''}"

    @property
    def media(self) -> str:
        """The content type of calls in this form, if they stream."""
        return f"application/{'connect' if self.protocol == 'connect' else f'grpc-{self.protocol}'}+{self.codec}"

    def packed(self, message: Message) -> bytes:
        """Return a message in the codec, compressed."""
        data = message.SerializeToString() if self.codec == "proto" else MessageToJson(message, indent=None).encode()
        return gzip.compress(data) if self.compressed and data else data

    def enveloped(self, *messages: Message) -> bytes:
        """Return messages in envelopes, as the body contains them."""
        packed = [self.packed(message) for message in messages]
        body = b"".join(envelope(data, COMPRESSED if self.compressed and data else 0) for data in packed)
        return b64encode(body) if self.protocol == "web-text" else body

    def read(self, data: bytes, kind: type[Message]) -> Message:
        """Return the message in these bytes."""
        return kind.FromString(data) if self.codec == "proto" else Parse(data, kind())


@dataclass
class Outcome:
    """What a client receives."""

    status: int
    headers: Headers
    body: bytes
    messages: list[Any] = field(default_factory=list)
    code: str = ""
    """The code of its error; empty after success."""
    message: str = ""
    reason: str = ""
    info: dict[str, str] = field(default_factory=dict)


class Script:
    """The methods of a service, which do what the test says."""

    def __init__(
        self,
        *messages: Message,
        error: Exception | None = None,
        waits: bool = False,
        play: Callable[..., AsyncGenerator[bytes, None]] | None = None,
    ) -> None:
        """``error``: raised after the messages; ``waits``: whether calls then wait until they are cancelled."""
        self.messages, self.error, self.waits = messages, error, waits
        self.requests: list[Any] = []
        self.tokens: list[str | None] = []
        self.cancelled = asyncio.Event()
        if play is not None:
            self.play = play

    def __getattr__(self, _: str) -> Callable[..., Awaitable[Message]]:
        return self._answer

    async def _answer(self, request: Message, token: str | None) -> Message:
        self._received(request, token)
        await self._wait_or_fail()
        return self.messages[0] if self.messages else pb.GetSessionResponse()

    async def observe(self, request: Message, token: str | None, _: object) -> AsyncGenerator[Any, None]:
        """Stream the messages."""
        self._received(request, token)
        for message in self.messages:
            yield serialize(message)
        await self._wait_or_fail()

    find_match = observe

    def _received(self, request: Message, token: str | None) -> None:
        self.requests.append(request)
        self.tokens.append(token)

    async def _wait_or_fail(self) -> None:
        if self.error is not None:
            raise self.error
        if self.waits:
            try:
                await asyncio.Event().wait()
            finally:
                self.cancelled.set()


def app_of(script: Script, **options: Any) -> HttpApp:
    """Return the application of a scripted service."""
    endpoint = Endpoint(SERVICE, script)
    return HttpApp(procedures_of([endpoint]), RestApp([endpoint], lambda _: None), endpoint.refused, **options)


async def ask(
    app: HttpApp,
    verb: str,
    path: str,
    headers: Headers | None = None,
    body: bytes = b"",
    query: str = "",
    *,
    parts: Sequence[bytes] = (),
    version: str = "1.1",
) -> Outcome:
    """Send one request to the application. ``parts``: of the body, if it arrives in several."""
    pieces = list(parts) or [body]
    events: list[Event] = [{"type": "http.request", "body": part, "more_body": True} for part in pieces]
    events[-1]["more_body"] = False

    async def receive() -> Event:
        if not events:
            await asyncio.Event().wait()  # the client stays connected
        return events.pop(0)

    sent: list[Event] = []

    async def send(event: Any) -> None:
        sent.append(event)

    await app(scope_of(verb, path, headers or {}, query, version), receive, send)
    return outcome_of(sent)


def scope_of(verb: str, path: str, headers: Headers, query: str = "", version: str = "1.1") -> Event:
    """Return the scope of a request."""
    pairs = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]
    return {
        "type": "http", "method": verb, "raw_path": path.encode(), "query_string": query.encode(),
        "headers": pairs, "http_version": version,
    }  # fmt: skip


def outcome_of(sent: Sequence[Event]) -> Outcome:
    """Return what was sent, so far as HTTP understands it."""
    head, *rest = sent
    headers = {name.decode(): value.decode("latin-1") for name, value in head["headers"]}
    return Outcome(head["status"], headers, b"".join(event.get("body", b"") for event in rest))


def path_of(rpc: str) -> str:
    """Return the path of an RPC."""
    return f"/{SERVICE.full_name}/{rpc}"


async def call(
    form: Form, script: Script, rpc: str, *requests: Message, version: str = "1.1", **headers: str
) -> Outcome:
    """Make a call and read its response. Underscores in ``headers`` stand for hyphens."""
    lines = {name.replace("_", "-"): value for name, value in headers.items()}
    app, path = app_of(script), path_of(rpc)
    if form.protocol == "get":
        outcome = await ask(app, "GET", path, lines, query=query_of(form, *requests))
    elif form.protocol == "connect" and rpc == "GetSession":
        head = {"content-type": f"application/{form.codec}"} | ({"content-encoding": "gzip"} if form.compressed else {})
        outcome = await ask(app, "POST", path, head | lines, form.packed(*requests))
    else:
        declared = "connect-content-encoding" if form.protocol == "connect" else "grpc-encoding"
        head = {"content-type": form.media} | ({declared: "gzip"} if form.compressed else {})
        outcome = await ask(app, "POST", path, head | lines, form.enveloped(*requests), version=version)
    return read(form, rpc, outcome)


def query_of(form: Form, request: Message) -> str:
    """Return the query of a GET."""
    data, extra = form.packed(request), "&compression=gzip" if form.compressed else ""
    if form.codec == "proto" or form.compressed:
        return f"connect=v1&base64=1&encoding={form.codec}&message={urlsafe_b64encode(data).decode()}{extra}"
    return f"connect=v1&encoding={form.codec}&message={quote(data)}"


def read(form: Form, rpc: str, outcome: Outcome) -> Outcome:
    """Read the body of a response by its protocol."""
    media = outcome.headers.get("content-type", "")
    if media.startswith(("application/connect+", "application/grpc-web")):
        _read_envelopes(form, rpc, outcome)
    elif outcome.status == 200:
        body = outcome.body
        if outcome.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        assert media == f"application/{form.codec}"
        outcome.messages.append(form.read(body, RESPONSES[rpc]))
    else:
        _read_error(json.loads(outcome.body), outcome)
    return outcome


def _read_envelopes(form: Form, rpc: str, outcome: Outcome) -> None:
    assert outcome.status == 200
    body = outcome.body
    if "text" in outcome.headers["content-type"]:
        body = b"".join(b64decode(unit) for unit in _units(body))
    reader, ended = EnvelopeReader(2**24), False
    reader.feed(body)
    while (found := reader.next()) is not None:
        assert not ended, "nothing follows the end"
        flags, data = found
        if flags == END_STREAM:
            ended, end = True, json.loads(data)
            if "error" in end:
                _read_error(end["error"], outcome)
        elif flags == TRAILERS:
            ended = True
            _read_trailers(data, outcome)
        else:
            outcome.messages.append(form.read(gzip.decompress(data) if flags & COMPRESSED else data, RESPONSES[rpc]))
    assert ended
    assert reader.is_empty


def _units(text: bytes) -> list[bytes]:
    """Return the parts of base64 that were encoded on their own: each ends with padding, if it has any."""
    return [part + b"=" * (-len(part) % 4) for part in text.replace(b"==", b"=").split(b"=") if part]


def _read_error(error: Any, outcome: Outcome) -> None:
    if "code" not in error:  # an error of HTTP itself
        outcome.reason = error["error"]["details"][0]["reason"]
        return
    outcome.code, outcome.message = error["code"], error["message"]
    for detail in error["details"]:
        if detail["type"] == "google.rpc.ErrorInfo":
            value = detail["value"]
            assert not value.endswith("=")
            _read_info(ErrorInfo.FromString(b64decode(value + "=" * (-len(value) % 4))), outcome)


def _read_trailers(data: bytes, outcome: Outcome) -> None:
    trailers = dict(line.split(": ", 1) for line in data.decode("ascii").split("\r\n") if line)
    if trailers["grpc-status"] == "0":
        return
    packed = trailers["grpc-status-details-bin"]
    status = Status.FromString(b64decode(packed + "=" * (-len(packed) % 4)))
    assert (str(status.code), status.message) == (trailers["grpc-status"], unquote(trailers["grpc-message"]))
    outcome.code, outcome.message = code_pb2.Code.Name(status.code).lower(), status.message
    for detail in status.details:
        info = ErrorInfo()
        if detail.Unpack(info):
            _read_info(info, outcome)


def _read_info(info: ErrorInfo, outcome: Outcome) -> None:
    assert info.domain == "skerry"
    outcome.reason, outcome.info = info.reason, dict(info.metadata)


def session(name: str = NAME) -> pb.GetSessionResponse:
    response = pb.GetSessionResponse()
    response.session.name = name
    return response


def updates(count: int = 2) -> list[pb.ObserveResponse]:
    return [pb.ObserveResponse(sequence=number + 1, epoch="one") for number in range(count)]
