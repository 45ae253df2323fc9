"""Ctrl-C in commands that clean up or print a message."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def raising_interrupts() -> Iterator[None]:
    """Let SIGINT raise KeyboardInterrupt, unless this program was started with SIGINT ignored."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
