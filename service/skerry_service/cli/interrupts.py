"""The handling of Ctrl-C, which ends the program at any moment, without output and with exit code 130.

This module imports almost nothing, so that it works before the rest of the program is loaded.
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
"""Cancels work that must clean up; ``None`` while there is none and the program can exit at once."""
_cleaning_up = False
"""Whether that work is already cleaning up."""
_interrupted = False
"""Whether an interrupt has arrived since that work began."""


class Interrupted(Exception):
    """The work was interrupted and has cleaned up."""


def install() -> None:
    """Handle interrupts from now on, unless the parent process has them ignored."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _interrupt)


def open_missing_streams() -> None:
    """Open /dev/null for each closed standard stream. Otherwise the next opened file would take its descriptor."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def exit_now(code: int) -> NoReturn:
    """Flush the output and exit without the interpreter's own cleanup, during which an interrupt would print."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            code = code or 1
    os._exit(code)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run the work and return its result. The first interrupt cancels the work, which then cleans up.

    Raises Interrupted, and the errors of the work.
    """
    import asyncio  # noqa: PLC0415 (see the module's docstring)

    return asyncio.run(_run(work))


def begin_cleanup() -> None:
    """Let the running work end undisturbed. Later interrupts take effect after it."""
    global _cleaning_up  # noqa: PLW0603
    _cleaning_up = True


async def _run(work: Coroutine[Any, Any, T]) -> T:
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
