"""The program of a worker: ``python -m skerry_service.wiring.workers.worker_main PARENT READY ATTACHED``.

``PARENT`` is the process id of the supervisor; the worker ends with it. ``READY`` is a file descriptor to which the
worker writes a ``Ready`` or ``NotReady``, then heartbeats. ``ATTACHED`` is 1 if the supervisor runs the embedded
server. The environment contains the settings.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from functools import partial

from msgspec import json

from skerry_service.store.embedded.attached_server import AttachedServer
from skerry_service.store.embedded.embedded_child import PR_SET_PDEATHSIG
from skerry_service.telemetry import service_log
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import RunningServer, running_server, serve
from skerry_service.wiring.workers.heartbeat import send_heartbeats
from skerry_service.wiring.workers.readiness import NotReady, Ready


def main(arguments: list[str]) -> None:
    """Serve until SIGTERM, or until the supervisor ends."""
    parent, ready = int(arguments[0]), int(arguments[1])
    os.set_inheritable(ready, False)  # it proves that this process is alive, not its children
    os.set_blocking(ready, False)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        sys.exit("the supervisor has already ended")

    served = False

    def announce(server: RunningServer) -> None:
        nonlocal served
        served = True
        addresses = (server.address, server.http, server.metrics, server.health, server.admin)
        _write(ready, Ready(*addresses, tuple(server.warnings)))
        send_heartbeats(ready)

    config = Config.from_environment()
    service_log.configure(config.log_form, config.log_from)
    attached = AttachedServer(config.data_dir) if arguments[2] == "1" else None
    try:
        serve(config, announce, partial(running_server, attached=attached, shared=True))
    except OSError as error:
        if served:
            sys.exit(f"a worker failed: {error}")
        _write(ready, NotReady(service_log.printable(str(error))))
        sys.exit(1)


def _write(descriptor: int, message: Ready | NotReady) -> None:
    os.write(descriptor, json.encode(message) + b"\n")


if __name__ == "__main__":
    main(sys.argv[1:])
