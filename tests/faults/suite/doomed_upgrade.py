"""``skerry``, doomed: it kills itself before a write to the store. ``DOOMED_WRITE`` says before which, from 1."""

from __future__ import annotations

import itertools
import os
import signal
import sys
from functools import partial
from typing import Any
from unittest.mock import patch

from skerry_service.cli.app import run
from skerry_service.cli.operators import migrate_command
from skerry_service.store.call_router import CallRouter
from skerry_service.store.upgrades.migration import migrate
from tests.faults.suite.steps import DOOMED_WRITE

_WRITES = ("ZADD", "ZREM", "HSET", "HDEL", "DEL")
_writes = itertools.count(1)


def _count() -> None:
    if next(_writes) == int(os.environ[DOOMED_WRITE]):
        os.kill(os.getpid(), signal.SIGKILL)


class DoomedWrites(CallRouter):
    """Counts writes. Every script of a migration writes."""

    async def call(self, *arguments: Any, **more: Any) -> Any:
        if arguments[0] in _WRITES:
            _count()
        return await super().call(*arguments, **more)

    async def run(self, *arguments: Any, **more: Any) -> Any:
        _count()
        return await super().run(*arguments, **more)

    def run_at(self, *arguments: Any) -> Any:
        _count()
        return super().run_at(*arguments)


if __name__ == "__main__":
    unwatched = partial(migrate, watch_seconds=0.0)  # no service runs
    with (
        patch("skerry_service.store.redis_store.CallRouter", DoomedWrites),
        patch.object(migrate_command, "migrate", unwatched),
    ):
        sys.exit(run())
