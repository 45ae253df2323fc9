"""The command line: ``skerry serve``, ``play``, ``verify``, ``games``, ``rules``, ``config``, ``health`` and others."""

from __future__ import annotations

import os

from skerry_service.cli import interrupts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

# gRPC's core writes lines of its own to stderr. What matters of them is raised, and told as this program tells it.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
# Since 1.80 what a server's connections bring goes through threads of an "event engine": twice as many switches between
# threads, a tenth of all that a move costs. Without that it is read by the thread that waits for it, as it was before.
os.environ.setdefault("GRPC_EXPERIMENTS", "-event_engine_listener")

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    interrupts.heed()
    interrupts.have_streams()
    from skerry_service.cli.app import run  # noqa: PLC0415 (a long import, in which an interrupt is heeded already)

    interrupts.leave(run(arguments))
