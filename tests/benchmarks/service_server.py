"""The service in its own process, as ``skerry serve`` runs it. Its settings come from the environment.

It prints its gRPC address and, if it serves HTTP too, that address.
"""

from __future__ import annotations

import skerry_service.cli  # noqa: F401 - first, because it sets variables that gRPC reads
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import RunningServer, running_server, serve
from skerry_service.wiring.workers.supervisor import running_workers

from .processes import end_with_parent


def main() -> None:
    """Serve until the parent ends."""
    end_with_parent()
    config = Config.from_environment()
    serve(config, _announce, running_workers if config.workers > 1 else running_server)


def _announce(running: RunningServer) -> None:
    print(*filter(None, (running.address, running.http)), flush=True)


if __name__ == "__main__":
    main()
