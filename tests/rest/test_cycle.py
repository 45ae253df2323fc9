"""A whole answer is written at once; whatever else an application sends goes the way that uvicorn sends it."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from uvicorn.protocols.http.flow_control import FlowControl

from skerry_service.edge.http.asgi import HeaderList
from skerry_service.edge.http.request_cycle import RequestCycle

DATE = (b"date", b"Mon, 23 Nov 2026 00:00:00 GMT")


class Written(asyncio.Transport):
    """A transport that remembers what was written to it, and that it was closed."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[bytes] = []
        self.closed = False

    def write(self, data: Any) -> None:
        self.writes.append(data)

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed


def answered(headers: HeaderList, *bodies: bytes, method: str = "GET", keep_alive: bool = True) -> Written:
    """Return what is written of an answer, the last of whose parts ends it."""
    transport = Written()

    async def app(_: Any, __: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for number, body in enumerate(bodies, 1):
            await send({"type": "http.response.body", "body": body, "more_body": number < len(bodies)})

    async def run() -> None:
        cycle = RequestCycle(
            scope={"type": "http", "method": method},  # type: ignore[typeddict-item]  # no more of it is looked at
            transport=transport,
            flow=FlowControl(transport),
            logger=logging.getLogger("tests.silent"),
            access_logger=logging.getLogger("tests.silent"),
            access_log=False,
            default_headers=[DATE],
            message_event=asyncio.Event(),
            expect_100_continue=False,
            keep_alive=keep_alive,
            on_response=lambda: None,
        )
        await cycle.run_asgi(app)

    asyncio.run(run())
    return transport


def test_a_whole_answer_is_written_at_once() -> None:
    done = answered([(b"X-Kind", b"plain"), (b"content-length", b"5")], b"hello")
    head = b"HTTP/1.1 200 OK\r\ndate: Mon, 23 Nov 2026 00:00:00 GMT\r\nx-kind: plain\r\ncontent-length: 5\r\n\r\n"
    assert (done.writes, done.closed) == ([head + b"hello"], False)


def test_of_an_answer_to_head_the_body_is_announced_and_not_sent() -> None:
    (written,) = answered([(b"content-length", b"5")], b"hello", method="HEAD").writes
    assert written.endswith(b"\r\ncontent-length: 5\r\n\r\n")


@pytest.mark.parametrize(
    ("headers", "keep_alive"), [([], False), ([(b"connection", b"close")], True), ([(b"connection", b"close")], False)]
)
def test_who_closes_says_so_once(headers: HeaderList, keep_alive: bool) -> None:
    done = answered([*headers, (b"content-length", b"0")], b"", keep_alive=keep_alive)
    assert done.closed
    assert b"".join(done.writes).count(b"connection: close\r\n") == 1


def test_a_stream_is_written_part_by_part() -> None:
    head, *parts = answered([], b"one", b"two", b"").writes
    assert b"\r\ntransfer-encoding: chunked\r\n" in head
    assert parts == [b"3\r\none\r\n", b"3\r\ntwo\r\n", b"0\r\n\r\n"]


def test_a_body_of_another_length_than_was_announced_is_not_sent_as_an_answer() -> None:
    done = answered([(b"content-length", b"4")], b"hello")
    assert done.closed
    assert not any(b"hello" in one for one in done.writes)


@pytest.mark.parametrize("header", [(b"x-kind", b"a\r\nx-other: b"), (b"x kind", b"a")])
def test_a_header_that_is_none_becomes_an_error(header: tuple[bytes, bytes]) -> None:
    done = answered([header, (b"content-length", b"5")], b"hello")
    assert done.writes[0].startswith(b"HTTP/1.1 500 ")
    assert not any(b"x-other" in one or b"hello" in one for one in done.writes)
