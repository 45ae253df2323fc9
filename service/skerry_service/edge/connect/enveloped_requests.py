"""The requests of an enveloped call: one message, or a stream of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from google.protobuf.message import Message

from skerry_service.api.requests.request_checks import LARGEST_REQUEST
from skerry_service.edge.connect.stream_formats import StreamFormat
from skerry_service.edge.framing.compression import unpacked
from skerry_service.edge.framing.envelopes import COMPRESSED, PREFIX_BYTES, EnvelopeReader
from skerry_service.edge.framing.transport_refusals import MalformedCall, WrongMessageCount
from skerry_service.edge.http.asgi import HttpExchange, Receive
from skerry_service.edge.http.disconnects import wait_for_disconnect
from skerry_service.edge.http.http_refusals import BodyTooLarge
from skerry_service.edge.http.request_bodies import ClientGone, declared_length, receive_body, receive_part

_MOST_TEXT = LARGEST_REQUEST // 3 * 4 + 1024
"""Bytes. The largest body with one message, in base64 and with its envelope."""
MOST_AT_ONCE = 1024 * 1024
"""Bytes. The largest body with several messages that the server reads before it answers."""

NextRequest = Callable[[], Awaitable[Message | None]]
"""Returns the next request of a stream; ``None`` after the last."""


async def receive_one(call: HttpExchange, form: StreamFormat) -> bytes:
    """Return the only message of the body. Raises TransportRefusal, ClientGone."""
    body = await receive_body(call.receive, declared_length(call.headers) or 0, _MOST_TEXT)
    reader = EnvelopeReader(LARGEST_REQUEST)
    reader.feed(form.decoder()(body))
    found = reader.next()
    if found is None and not reader.is_empty:
        raise MalformedCall("The body ends within a message.")
    if found is None or not reader.is_empty:
        raise WrongMessageCount
    return _message(found, call, form)


async def receive_all(call: HttpExchange, form: StreamFormat) -> list[bytes]:
    """Return all messages of the body, of which the client sends the last before it reads. Raises BodyTooLarge."""
    messages, size = [], 0
    async for message in receive_each(call, form):
        messages.append(message)
        size += PREFIX_BYTES + len(message)  # an empty message takes memory too
        if size > MOST_AT_ONCE:
            raise BodyTooLarge(MOST_AT_ONCE)
    return messages


async def receive_each(call: HttpExchange, form: StreamFormat) -> AsyncGenerator[bytes, None]:
    """Yield the messages of the body as they arrive. Raises TransportRefusal, ClientGone."""
    reader, decode, more = EnvelopeReader(LARGEST_REQUEST), form.decoder(), True
    while more:
        part, more = await receive_part(call.receive)
        reader.feed(decode(part))
        while (found := reader.next()) is not None:
            yield _message(found, call, form)
    if not reader.is_empty:
        raise MalformedCall("The body ends within a message.")


def _message(found: tuple[int, bytes], call: HttpExchange, form: StreamFormat) -> bytes:
    flags, data = found
    if flags & ~COMPRESSED:
        raise MalformedCall(f"The flags {flags} of a message are not valid in a request.")
    declared = call.headers.get(form.encoding_header)
    return unpacked(data, marked=bool(flags & COMPRESSED), declared=declared, limit=LARGEST_REQUEST)


@asynccontextmanager
async def while_connected(
    messages: AsyncGenerator[bytes, None], receive: Receive
) -> AsyncIterator[Callable[[], Awaitable[bytes | None]]]:
    """Yield a function that returns the next message. Cancel the block when the client disconnects.

    Raises ClientGone then. The messages are read from ``receive``, so nothing else can wait for the disconnection.
    """
    task, watch = asyncio.current_task(), _Watch()
    assert task is not None

    def on_gone() -> None:
        watch.gone = True
        task.cancel()

    async def next_message() -> bytes | None:
        message = None
        try:
            message = await anext(messages, None)
        except ClientGone:
            on_gone()
            await asyncio.Event().wait()  # until the cancelled block cancels this too
        if message is None and watch.waiting is None:
            watch.waiting = asyncio.ensure_future(wait_for_disconnect(receive))
            watch.waiting.add_done_callback(lambda ended: None if ended.cancelled() else on_gone())
        return message

    try:
        yield next_message
    except asyncio.CancelledError:
        if not watch.gone:
            raise
        task.uncancel()
        raise ClientGone from None
    finally:
        if watch.waiting is not None:
            watch.waiting.cancel()


class _Watch:
    """Whether the client has disconnected, and the task that waits for it after the last message."""

    def __init__(self) -> None:
        self.gone = False
        self.waiting: asyncio.Future[None] | None = None
