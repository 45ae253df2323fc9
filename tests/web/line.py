"""A line between browsers and a server that can be cut: then streams that are open break too."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from urllib.parse import urlsplit

_PIECE = 65536


class Line:
    """Listens, and passes on to the server what comes. Threads do that, as the browsers are driven in this one."""

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
        """Where the server is found over this line."""
        return f"http://{self._address[0]}:{self._address[1]}"

    def cut(self) -> None:
        """Break every connection; let none be made."""
        with self._lock:
            self._is_cut = True
            for end in self._ends:
                _close(end)
            self._ends.clear()

    def heal(self) -> None:
        """Let connections be made again."""
        self._is_cut = False

    def close(self) -> None:
        """Cut it for good."""
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
