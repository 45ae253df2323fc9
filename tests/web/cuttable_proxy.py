"""A TCP proxy between browsers and a server that can be cut. Cutting it also breaks open streams."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from urllib.parse import urlsplit

_PIECE = 65536


class CuttableProxy:
    """A proxy to the server. It runs in threads, because the main thread drives the browsers."""

    def __init__(self, url: str) -> None:
        address = urlsplit(url)
        assert address.hostname
        assert address.port
        self._server = (address.hostname, address.port)
        self._ends: list[socket.socket] = []
        self._is_cut = False
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._address = self._listener.getsockname()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        """The URL of the server through this proxy."""
        return f"http://{self._address[0]}:{self._address[1]}"

    def cut(self) -> None:
        """Break all connections, and refuse new ones."""
        with self._lock:
            self._is_cut = True
            for end in self._ends:
                _close(end)
            self._ends.clear()

    def heal(self) -> None:
        """Accept new connections again."""
        self._is_cut = False

    def close(self) -> None:
        """Cut the proxy permanently."""
        self.cut()
        _close(self._listener)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                self._join(self._listener.accept()[0])

    def _join(self, near: socket.socket) -> None:
        with self._lock:
            if self._is_cut:
                return _close(near)
            far = socket.create_connection(self._server)
            self._ends += [near, far]
        for one, other in ((near, far), (far, near)):
            threading.Thread(target=_pass_on, args=(one, other), daemon=True).start()
        return None


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while data := one.recv(_PIECE):
            other.sendall(data)
    _close(one)
    _close(other)


def _close(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
