"""Serves the live page on this machine: ``/``, its changing part ``/content``, and its data ``/live.json``."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from math import inf
from socketserver import TCPServer
from threading import BoundedSemaphore, Event, Thread
from typing import Any, Final

from msgspec import json

from skerry_arena.live.live_page import live_content, live_page
from skerry_arena.live.tournament_watch import Snapshot, TournamentWatch

LOOPBACK: Final = "127.0.0.1"
_MOST_CONNECTIONS: Final = 32
_PATIENCE: Final = 10.0
"""Seconds in which a client must send its request or read the response."""
_OPEN: Final = 5.0
"""A page is open if it was fetched in so many seconds. An open page fetches every two seconds."""
_LAST_LOOK: Final = 3.0
_LARGEST_PORT: Final = 65_535
_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


class BadAddress(ValueError):
    """An address on which no page can be served. The message is a sentence."""


def address_of(text: str) -> tuple[str, int]:
    """Return host and port of ``:8090``, ``8090``, ``HOST:8090`` or ``[::1]:8090``. Raises BadAddress.

    The default host is that of this machine alone.
    """
    host, colon, port = text.rpartition(":") if ":" in text else ("", "", text)
    host = host.removeprefix("[").removesuffix("]") if colon else host
    if not port.isascii() or not port.isdecimal() or int(port) > _LARGEST_PORT:
        raise BadAddress(f"--live takes a port or HOST:PORT, for example :8090, not {text!r}.")
    return host or LOOPBACK, int(port)


@contextmanager
def serving(watch: TournamentWatch, address: tuple[str, int]) -> Iterator[str]:
    """Serve the page within a ``with`` statement. Yields its URL. Raises OSError.

    At the end of a finished tournament, open pages have some seconds to fetch the last state.
    """
    server = _LiveServer(watch, address)
    thread = Thread(target=server.serve_forever, args=(0.1,), daemon=True)
    thread.start()
    try:
        host, port = str(server.server_address[0]), server.server_port
        yield f"http://{f'[{host}]' if ':' in host else host}:{port}/"
        server.wait_for_last_look()
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _LiveServer(ThreadingHTTPServer):
    """A server with a bound on its connections."""

    daemon_threads = True
    request_queue_size = _MOST_CONNECTIONS  # a client that finds a short queue full tries again only after seconds
    block_on_close = False  # a client that reads slowly does not delay the end

    def __init__(self, watch: TournamentWatch, address: tuple[str, int]) -> None:
        self.address_family = socket.getaddrinfo(*address, type=socket.SOCK_STREAM)[0][0]
        self.watch = watch
        self._slots = BoundedSemaphore(_MOST_CONNECTIONS)
        self._last_look = -inf
        self._end_seen = Event()
        super().__init__(address, _Handler)
        self.local = ip_address(str(self.server_address[0]).partition("%")[0]).is_loopback

    def look(self) -> Snapshot:
        """Return the state for a client."""
        snapshot = self.watch.snapshot()
        self._last_look = time.monotonic()
        if snapshot.over:
            self._end_seen.set()
        return snapshot

    def wait_for_last_look(self) -> None:
        """Wait some seconds until an open page has fetched the end of the tournament."""
        if self.watch.over and time.monotonic() - self._last_look < _OPEN:
            self._end_seen.wait(_LAST_LOOK)

    def server_bind(self) -> None:
        TCPServer.server_bind(self)  # the library's own method also looks the host's name up, which can take seconds
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self._slots.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._slots.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a client has gone."""


class _Handler(BaseHTTPRequestHandler):
    server: _LiveServer
    timeout = _PATIENCE

    def do_GET(self) -> None:
        """Answer a request."""
        if self.server.local and not _is_local(self.headers.get("Host", "")):
            # Another site's name that resolves to this machine must not read the page.
            self.send_error(HTTPStatus.FORBIDDEN, "The page is for this machine alone.")
            return
        look = self.server.look
        match self.path.partition("?")[0]:
            case "/":
                self._answer("text/html; charset=utf-8", live_page(look()).encode())
            case "/content":
                self._answer("text/html; charset=utf-8", live_content(look()).encode())
            case "/live.json":
                self._answer("application/json", json.encode(look()))
            case _:
                self.send_error(HTTPStatus.NOT_FOUND)

    def _answer(self, kind: str, body: bytes) -> None:
        self.send_response(HTTPStatus.OK)
        for name, value in {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Cache-Control": "no-store",
            "Content-Security-Policy": _POLICY,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: the terminal belongs to the tournament."""


def _is_local(host: str) -> bool:
    name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
    name = name.removeprefix("[").removesuffix("]")
    if name == "localhost":
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
