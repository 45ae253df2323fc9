"""What Ctrl-C does to commands that have something to say or to clean up."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def raising_interrupts() -> Iterator[None]:
    """Let an interrupt raise KeyboardInterrupt, unless whoever started this program has interrupts ignored."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
