"""Counts the commands that reach a store."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from skerry_service.store.embedded.embedded_server import EmbeddedServer

_CHUNK = 1 << 20


@contextmanager
def counted_commands(redis: EmbeddedServer) -> Iterator[Callable[[], int]]:
    """Count the commands that reach the store inside the block. A script counts as one.

    Counting slows the store down.
    """
    lines, of_scripts = 0, 0
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(redis.socket))
        connection.sendall(b"MONITOR\r\n")
        connection.recv(len(b"+OK\r\n"), socket.MSG_WAITALL)

        def count() -> None:
            nonlocal lines, of_scripts
            rest = b""
            while received := connection.recv(_CHUNK):
                whole, _, rest = (rest + received).rpartition(b"\n")
                lines += whole.count(b"\n") + bool(whole)
                of_scripts += whole.count(b" lua] ")

        thread = threading.Thread(target=count, daemon=True)
        thread.start()
        try:
            yield lambda: lines - of_scripts
        finally:
            connection.shutdown(socket.SHUT_RDWR)
            thread.join()
