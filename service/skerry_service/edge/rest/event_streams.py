"""Server-sent events: a stream of messages over HTTP, as ``EventSource`` and every line reader understand it.

Each message is one event: ``id`` is the sequence that it reaches, where messages have one, ``data`` the message as JSON
in one line. Heartbeats are comments. ``Last-Event-ID`` resumes behind that sequence. Two events have names, so that
nobody takes them for a message: ``end`` says that nothing more will come, ``refusal`` holds the error that ends the
stream, as any answer would. Whoever comes back after the end is answered 204, which is how an ``EventSource`` is told
to give up.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from http import HTTPStatus
from typing import Any

from google.protobuf.message import Message as ProtoMessage

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.domain.errors import InvalidField
from skerry_service.edge.http.asgi import Headers, HttpExchange, Receive, Send
from skerry_service.edge.http.http_answers import EVENT_STREAM, HttpAnswer, error_answer
from skerry_service.wire.json_writer import to_json, write_in_thread
from skerry_service.wire.serialized import Serialized

RETRY_MS = 1000
"""How long an EventSource waits before it connects again."""
_BEGIN = b"retry: %d\n\n" % RETRY_MS
_END = b"event: end\ndata: {}\n\n"
_HEARTBEAT = b": heartbeat\n\n"
_MANY_ENTRIES = 64
"""Entries in one message that take tens of milliseconds to write."""
_LAST_EVENT_ID = b"last-event-id"
_RESUMES, _REACHES = "after_sequence", "sequence"
"""Fields of the requests and of the messages of streams that can be resumed."""
_SEQUENCE = re.compile(rb"[0-9]{1,18}")
_OVER = (session_pb2.SESSION_STATE_FINISHED, session_pb2.SESSION_STATE_CANCELLED)
_HEADERS = [
    (b"content-type", EVENT_STREAM),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-accel-buffering", b"no"),  # nginx would hold events back
]

Messages = AsyncGenerator[Serialized[Any], None]


def can_resume(request: Any) -> bool:
    """Whether a stream can be resumed behind a message. ``request``: descriptor of what it is asked for with."""
    return _RESUMES in request.fields_by_name


def resume(request: ProtoMessage, headers: Headers) -> None:
    """Let the request begin where the client's last event was. Raises InvalidField."""
    last = headers.get(_LAST_EVENT_ID)
    if not last or not can_resume(request.DESCRIPTOR):
        return
    if not _SEQUENCE.fullmatch(last):
        raise InvalidField("Last-Event-ID", "This is not the id of an event of this stream.")
    request.after_sequence = int(last)  # type: ignore[attr-defined]


def event(told: Serialized[Any]) -> bytes:
    """Return a message as an event."""
    message = told.message
    if _REACHES not in message.DESCRIPTOR.fields_by_name:
        return b"data: %b\n\n" % to_json(message)
    return b"id: %d\ndata: %b\n\n" % (message.sequence, to_json(message))


async def first_message(messages: Messages, headers: Headers) -> Serialized[Any] | None:
    """Return the first message; ``None`` if the client that comes back has had everything there will ever be.

    Raises what the stream is refused with, before anything is sent.
    """
    first = await anext(messages)
    told = first.message
    if _LAST_EVENT_ID in headers and isinstance(told, pb.ObserveResponse):
        return first if told.entries or told.session.state not in _OVER else None
    return first


def completed_answer() -> HttpAnswer:
    """Return the answer to a client that has had everything."""
    return HttpAnswer(status=HTTPStatus.NO_CONTENT)


async def send_stream(first: Serialized[Any], rest: Messages, call: HttpExchange) -> None:
    """Send the messages until they end or the client goes."""
    send = call.send
    await send({"type": "http.response.start", "status": HTTPStatus.OK, "headers": [*_HEADERS, *call.response_headers]})
    await _send(send, _BEGIN + await _written(first))
    task = asyncio.current_task()
    assert task is not None
    watch = asyncio.ensure_future(_gone(call.receive))
    watch.add_done_callback(lambda ended: ended.cancelled() or task.cancel())
    try:
        end = await _send_all(rest, send)
    except asyncio.CancelledError:
        if not watch.done() or watch.cancelled():
            raise
        task.uncancel()
        return
    watch.cancel()
    await send({"type": "http.response.body", "body": end})


async def _send_all(messages: Messages, send: Send) -> bytes:
    """Send every message; return what is to be said at the end."""
    try:
        async for message in messages:
            await _send(send, _HEARTBEAT if message.message.heartbeat else await _written(message))
    except Exception as error:
        return b"event: refusal\ndata: %b\n\n" % error_answer(error).body
    return _END


async def _written(told: Serialized[Any]) -> bytes:
    message = told.message
    if isinstance(message, pb.ObserveResponse) and len(message.entries) >= _MANY_ENTRIES:
        return await write_in_thread(_as_event, told)
    return told.encoded_with(event)


def _as_event(told: Serialized[Any]) -> bytes:
    return told.encoded_with(event)


async def _send(send: Send, data: bytes) -> None:
    await send({"type": "http.response.body", "body": data, "more_body": True})


async def _gone(receive: Receive) -> None:
    """Return when the client has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass
