"""One request and its response: uvicorn's cycle, which sends a complete response with one write.

uvloop makes a system call for each write, so writing head and body separately would take two.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from uvicorn.protocols.http.httptools_impl import HEADER_RE, HEADER_VALUE_RE, STATUS_LINE, RequestResponseCycle

_LINE_CACHE_SIZE = 1024
_CLOSE = (b"connection", b"close")
_LENGTH = b"content-length"


class RequestCycle(RequestResponseCycle):
    """The ASGI interface of one request."""

    _head: Any = None
    """The start message of the response, held until its body arrives."""

    async def send(self, message: Any) -> None:
        """Send a message of the application. Streams and unusual responses are left to uvicorn."""
        if message["type"] == "http.response.start" and not self.response_started:
            self._head = message
            if self.waiting_for_100_continue and self.more_body:
                self.keep_alive = False  # the client may omit the body now
            return
        head, self._head = self._head, None
        if head is None:
            await super().send(message)
        elif message.get("more_body") or not _has_whole_body(head["headers"], message.get("body", b"")):
            await super().send(head)
            await super().send(message)
        else:
            if self.flow.write_paused and not self.disconnected:
                await self.flow.drain()
            if not self.disconnected:
                self._answer(head["status"], head["headers"], message["body"])

    def _answer(self, status: int, headers: Any, body: bytes) -> None:
        lines = [STATUS_LINE[status], *map(_line, self.default_headers), *map(_line, headers)]
        if _CLOSE in headers:
            self.keep_alive = False
        elif not self.keep_alive:
            lines.append(_line(_CLOSE))
        lines.append(b"\r\n")
        if self.scope["method"] != "HEAD":
            lines.append(body)
        self.response_started, self.waiting_for_100_continue = True, False
        self.transport.write(b"".join(lines))
        self.response_complete = True
        self.message_event.set()
        if not self.keep_alive:
            self.transport.close()
        self.on_response()


def _has_whole_body(headers: Any, body: bytes) -> bool:
    """Return whether the last header is the length of this body."""
    return bool(headers) and headers[-1] == (_LENGTH, b"%d" % len(body))


@lru_cache(_LINE_CACHE_SIZE)
def _line(header: tuple[bytes, bytes]) -> bytes:
    name, value = header
    if HEADER_RE.search(name) or HEADER_VALUE_RE.search(value):
        raise RuntimeError("Invalid header.")
    return b"%b: %b\r\n" % (name.lower(), value)
