"""The command line: ``skerry serve``, ``play``, ``verify``, ``games``, ``rules``, ``config``, ``health`` and others."""

from __future__ import annotations

import os

from skerry_service.cli import interrupts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

# gRPC's core writes to stderr. Its errors are also raised, and this program prints them in its own form.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    interrupts.install()
    interrupts.open_missing_streams()
    from skerry_service.cli.app import run  # noqa: PLC0415 (a long import, which Ctrl-C can interrupt)

    interrupts.exit_now(run(arguments))
