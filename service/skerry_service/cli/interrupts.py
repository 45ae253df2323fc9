"""What Ctrl-C does: it ends the program in silence, with exit code 130, at whatever moment it comes.

Imports next to nothing: it is there before the rest of the program is.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from types import FrameType
    from typing import Any, NoReturn, TypeVar

    T = TypeVar("T")

INTERRUPTED = 130

_cancel: Callable[[], None] | None = None
"""Ends the work that has something to clean up; ``None`` while there is none, and the program can just end."""
_cleaning_up = False
"""Whether that work is about to end anyway."""
_interrupted = False
"""Whether there was an interrupt since that work began."""


class Interrupted(Exception):
    """The work was interrupted, and has cleaned up."""


def heed() -> None:
    """Answer interrupts from now on, unless whoever started this program has them ignored."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _interrupt)


def have_streams() -> None:
    """Have /dev/null where a stream was closed by whoever started this: the first file opened would stand there."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def leave(code: int) -> NoReturn:
    """End now, with everything written that was printed. Nothing can interrupt the interpreter's own clearing up."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            code = code or 1
    os._exit(code)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end. An interrupt cancels the work, once: then it has its time to clean up. Raises Interrupted."""
    import asyncio  # noqa: PLC0415 (see the module's docstring)

    return asyncio.run(_watched(work))


def clean_up() -> None:
    """Let the work that runs end undisturbed: interrupts are remembered, and take effect after it."""
    global _cleaning_up  # noqa: PLW0603
    _cleaning_up = True


async def _watched(work: Coroutine[Any, Any, T]) -> T:
    import asyncio  # noqa: PLC0415

    global _cancel, _cleaning_up, _interrupted  # noqa: PLW0603
    loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work)
    _cleaning_up = _interrupted = False

    def cancel() -> None:
        loop.call_soon_threadsafe(task.cancel)

    _cancel = cancel
    try:
        await asyncio.wait((task,))
    finally:
        _cancel = None
    if _interrupted:
        raise Interrupted
    return task.result()


def _interrupt(number: int, frame: FrameType | None) -> None:
    global _interrupted
    if _cancel is None:
        os._exit(INTERRUPTED)
    first, _interrupted = not _interrupted, True
    if first and not _cleaning_up:
        _cancel()
