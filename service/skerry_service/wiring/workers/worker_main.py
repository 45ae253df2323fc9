"""One of several processes that serve one port: ``python -m ...worker_main PARENT READY ATTACHED``.

``PARENT`` is the process id of whoever keeps it running, with which it ends; ``READY`` a descriptor to which it writes
what it serves, once it does, and then that it is alive, or why it cannot; ``ATTACHED`` is 1 if its parent runs the
embedded server. Its settings are in its environment.
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
from skerry_service.wiring.serving import Running, serve, serving
from skerry_service.wiring.workers.heartbeat import beat
from skerry_service.wiring.workers.readiness import NotReady, Ready


def main(arguments: list[str]) -> None:
    """Serve until SIGTERM, or until the parent ends."""
    parent, ready = int(arguments[0]), int(arguments[1])
    os.set_inheritable(ready, False)  # it says that this process is alive, not what this one starts
    os.set_blocking(ready, False)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        sys.exit("the parent is gone already")

    served = False

    def announce(running: Running) -> None:
        nonlocal served
        served = True
        addresses = (running.address, running.http, running.metrics, running.health, running.admin)
        _say(ready, Ready(*addresses, tuple(running.warnings)))
        beat(ready)

    config = Config.from_environment()
    service_log.configure(config.log_form, config.log_from)
    attached = AttachedServer(config.data_dir) if arguments[2] == "1" else None
    try:
        serve(config, announce, partial(serving, attached=attached, shared=True))
    except OSError as error:
        if served:
            sys.exit(f"a worker cannot go on: {error}")
        _say(ready, NotReady(service_log.printable(str(error))))
        sys.exit(1)


def _say(descriptor: int, told: Ready | NotReady) -> None:
    os.write(descriptor, json.encode(told) + b"\n")


if __name__ == "__main__":
    main(sys.argv[1:])
