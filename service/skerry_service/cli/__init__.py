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

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    interrupts.heed()
    from skerry_service.cli.app import run  # noqa: PLC0415 (a long import, in which an interrupt is heeded already)

    interrupts.leave(run(arguments))
