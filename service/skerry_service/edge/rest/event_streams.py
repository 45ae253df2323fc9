"""Server-sent events: a stream of messages over HTTP, for ``EventSource`` and other clients.

Each message is one event. ``id`` is the sequence that the message reaches, if it has one; ``data`` is the message as
one line of JSON. Heartbeats are comments. ``Last-Event-ID`` resumes after that sequence. Two events have names, to
distinguish them from messages: ``end`` ends the stream, and ``refusal`` contains the error that ended it. A client that
reconnects after the end gets 204, at which ``EventSource`` stops reconnecting.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from http import HTTPStatus
from typing import Any

from google.protobuf.message import Message as ProtoMessage

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.domain.errors import InvalidField
from skerry_service.edge.http.asgi import Headers, HttpExchange, Send
from skerry_service.edge.http.disconnects import cancelled_when_gone
from skerry_service.edge.http.http_answers import EVENT_STREAM, HttpAnswer, error_answer
from skerry_service.wire.json_writer import to_json, write_in_thread
from skerry_service.wire.serialized import Serialized

RETRY_MS = 1000
"""How long an EventSource waits before it reconnects."""
_BEGIN = b"retry: %d\n\n" % RETRY_MS
_END = b"event: end\ndata: {}\n\n"
_HEARTBEAT = b": heartbeat\n\n"
_MANY_ENTRIES = 64
"""Messages with this many entries take tens of milliseconds to write as JSON, so a thread writes them."""
_LAST_EVENT_ID = b"last-event-id"
_RESUMES, _REACHES = "after_sequence", "sequence"
"""Fields of requests and messages of streams that can be resumed."""
_SEQUENCE = re.compile(rb"[0-9]{1,18}")
_OVER = (session_pb2.SESSION_STATE_FINISHED, session_pb2.SESSION_STATE_CANCELLED)
_HEADERS = [
    (b"content-type", EVENT_STREAM),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-accel-buffering", b"no"),  # nginx would buffer events
]

Messages = AsyncGenerator[Serialized[Any], None]


def can_resume(request: Any) -> bool:
    """Return whether the streams of an RPC can be resumed. ``request``: the descriptor of its request."""
    return _RESUMES in request.fields_by_name


def resume(request: ProtoMessage, headers: Headers) -> None:
    """Let a request resume after the client's last event, if the client names one. Raises InvalidField."""
    last = headers.get(_LAST_EVENT_ID)
    if not last or not can_resume(request.DESCRIPTOR):
        return
    if not _SEQUENCE.fullmatch(last):
        raise InvalidField("Last-Event-ID", "This is not an event id. Send the id of the last event.")
    request.after_sequence = int(last)  # type: ignore[attr-defined]


def event(serialized: Serialized[Any]) -> bytes:
    """Return a message as an event."""
    message = serialized.message
    if _REACHES not in message.DESCRIPTOR.fields_by_name:
        return b"data: %b\n\n" % to_json(message)
    return b"id: %d\ndata: %b\n\n" % (message.sequence, to_json(message))


async def first_message(messages: Messages, headers: Headers) -> Serialized[Any] | None:
    """Return the first message; ``None`` if a reconnecting client has received the whole stream.

    Raises the error that the RPC raises before its first message.
    """
    first = await anext(messages)
    message = first.message
    if _LAST_EVENT_ID in headers and isinstance(message, pb.ObserveResponse):
        return first if message.entries or message.session.state not in _OVER else None
    return first


def completed_answer() -> HttpAnswer:
    """Return the response to a client that has received the whole stream."""
    return HttpAnswer(status=HTTPStatus.NO_CONTENT)


async def send_stream(first: Serialized[Any], rest: Messages, call: HttpExchange) -> None:
    """Send messages until the stream ends. Raises ClientGone if the client disconnects before."""
    send = call.send
    await send({"type": "http.response.start", "status": HTTPStatus.OK, "headers": [*_HEADERS, *call.response_headers]})
    await _send(send, _BEGIN + await _event_bytes(first))
    async with cancelled_when_gone(call.receive):
        end = await _send_all(rest, send)
    await send({"type": "http.response.body", "body": end})


async def _send_all(messages: Messages, send: Send) -> bytes:
    """Send every message; return the last event."""
    try:
        async for message in messages:
            await _send(send, _HEARTBEAT if message.message.heartbeat else await _event_bytes(message))
    except Exception as error:
        return b"event: refusal\ndata: %b\n\n" % error_answer(error).body
    return _END


async def _event_bytes(serialized: Serialized[Any]) -> bytes:
    message = serialized.message
    if isinstance(message, pb.ObserveResponse) and len(message.entries) >= _MANY_ENTRIES:
        return await write_in_thread(_as_event, serialized)
    return serialized.encoded_with(event)


def _as_event(serialized: Serialized[Any]) -> bytes:
    return serialized.encoded_with(event)


async def _send(send: Send, data: bytes) -> None:
    await send({"type": "http.response.body", "body": data, "more_body": True})
