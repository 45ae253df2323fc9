"""The service, doomed: at numbered steps of commits it kills itself, or its store, or both. Called as ``skerry`` is.

``DOOM`` names a file. Each line in it is a kill that was made; how many there are says which one is the next. So the
plan outlives the process, and another run with the same seed has the same plan. A file ``spared`` beside it ends it.
``DOOM_PLANTED`` names a mistake that the service is to make, so that those who look for lost moves can be tried.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from skerry_service.cli.app import run
from skerry_service.sessions.commits import Committer
from skerry_service.sessions.store_port import Commit, CommitResult, Stored
from skerry_service.store import redis_keys, redis_store
from skerry_service.store.call_router import CallRouter, Script
from skerry_service.store.connections.connection import pack
from skerry_service.store.connections.multiplexer import ConnectionEnded
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore
from skerry_service.wiring import observability
from tests.faults.suite.steps import (
    ANSWERED,
    DECIDED,
    EARLY,
    FILE,
    FORGETFUL,
    GONE_OUT,
    IN_SCRIPT,
    NOTED,
    NOTIFIED,
    PLANTED,
    SEED,
    SENT,
    UNDER_WAY,
    Plan,
    plan_of,
    spared,
)

_MARK = "a doomed script spins"
_PATIENCE = 2.0
_EARLIER_SECONDS = 0.001
_SPIN = """
redis.log(redis.LOG_WARNING, '%s')
local turns = 0
while turns < %d do turns = turns + 1 end
"""
"""Keeps a script from going on. It counts turns: the time stands still in a script."""
_A_MOMENT, _LONG = 3_000_000, 300_000_000
"""Turns: some hundredths of a second, and seconds."""
_AFTER_FIRST_WRITE = "local expires ="


class Doom:
    """What is to happen next, to this process and to its store."""

    def __init__(self, file: Path, seed: int) -> None:
        self._file = file
        self._seed = seed
        self._number = len(file.read_text().splitlines()) if file.exists() else 0
        self._commits = 0
        self.plan = plan_of(seed, self._number)

    def count(self) -> Plan | None:
        """Count a commit; return the plan, if this one, or one behind it, is to be struck."""
        self._commits += 1
        due = self._commits >= self.plan.commit and not spared(self._file).exists()
        return self.plan if due else None

    def strike(self, server: EmbeddedServer) -> None:
        """Carry the plan out, and make another one. A victim that is this process does not return from here."""
        with self._file.open("a") as file:
            file.write(f"{self.plan.step} {self.plan.victim}\n")
        if self.plan.victim != "service":
            with suppress(ProcessLookupError):
                os.kill(server.pid, signal.SIGKILL)
        if self.plan.victim != "store":
            with suppress(ProcessLookupError):
                os.kill(server.pid, signal.SIGCONT)  # else one that is held would never end
            os.kill(os.getpid(), signal.SIGKILL)
        self._number, self._commits = self._number + 1, 0
        self.plan = plan_of(self._seed, self._number)


_DOOM = Doom(Path(os.environ[FILE]), int(os.environ[SEED]))
_PLAN: ContextVar[Plan | None] = ContextVar("plan", default=None)
"""What is to strike the commit of this task."""


def _due(step: int) -> bool:
    """Whether the commit of this task is to be struck at that step, and no other one has been struck in its place."""
    plan = _PLAN.get()
    return plan is not None and plan is _DOOM.plan and plan.step == step


class DoomedStore(RedisStore):
    """A store that is struck at the steps up to ``NOTED``."""

    def __init__(self, url: str, **settings: Any) -> None:
        super().__init__(url, **settings)
        self.server: EmbeddedServer = settings["on_stored"].__self__
        if isinstance(self._calls, DoomedCallRouter):
            self._calls.store = self

    async def commit(self, session: str, commit: Commit) -> CommitResult:
        _PLAN.set(_DOOM.count())
        self.struck_at(DECIDED)
        result = await super().commit(session, commit)
        self.struck_at(NOTED)
        return result

    def struck_at(self, step: int) -> None:
        """Strike, if it is that step's turn."""
        if _due(step):
            _DOOM.strike(self.server)


class DoomedCallRouter(CallRouter):
    """The part of such a store that sends."""

    store: DoomedStore

    async def run_at(self, script: Script, session: str, *arguments: bytes | int) -> tuple[Any, bool]:
        if script is not redis_store._COMMIT:
            return await super().run_at(script, session, *arguments)
        if _due(IN_SCRIPT):
            await self._spin(session, *arguments)
        sending = asyncio.ensure_future(super().run_at(script, session, *arguments))
        if _due(SENT):
            await self._strike_unread()
        elif _due(UNDER_WAY):
            await asyncio.sleep(Random().uniform(0, 0.001))
            self.store.struck_at(UNDER_WAY)
        result = await sending
        if _due(ANSWERED):
            self.store.struck_at(ANSWERED)
        return result

    async def _strike_unread(self) -> None:
        """Strike when the command is written and the store, which is held, has not read it."""
        with self._held():
            for _ in range(5):
                await asyncio.sleep(0)  # the multiplexer writes at the end of a turn of the loop
            self.store.struck_at(SENT)

    @contextmanager
    def _held(self) -> Iterator[None]:
        pid = self.store.server.pid
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
        try:
            while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "TZ":
                pass
            yield
        finally:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)

    async def _spin(self, session: str, *arguments: bytes | int) -> None:
        """Strike while the script runs. One that outlives that goes on after a moment."""
        log = self.store.server.directory / "server.log"
        turns = _A_MOMENT if _DOOM.plan.victim == "service" else _LONG
        source = redis_store._COMMIT.source.decode()
        before, after = source.split(_AFTER_FIRST_WRITE)
        spinning = before + _SPIN % (_MARK, turns) + _AFTER_FIRST_WRITE + after
        marks = log.read_text().count(_MARK)
        command = pack("EVAL", spinning, 2, redis_keys.head(session), redis_keys.log(session), *arguments)
        server = await self._servers.find(redis_keys.head(session))
        sending = asyncio.ensure_future(server.line.call(command))
        async with asyncio.timeout(_PATIENCE):
            while log.read_text().count(_MARK) == marks and not sending.done():  # noqa: ASYNC110
                await asyncio.sleep(0.001)
        self.store.struck_at(IN_SCRIPT)
        with suppress(ConnectionEnded):
            await sending


class EarlyStore(DoomedStore):
    """Makes the mistake ``EARLY``."""

    async def commit(self, session: str, commit: Commit) -> CommitResult:
        storing = super().commit(session, commit)
        if commit.record_changed:  # no move
            return await storing
        asyncio.get_running_loop().call_later(_EARLIER_SECONDS, asyncio.ensure_future, storing)
        return Stored()


class ForgetfulStore(RedisStore):
    """Makes the mistake ``FORGETFUL``, and is not doomed."""

    async def commit(self, session: str, commit: Commit) -> CommitResult:
        return await super().commit(session, replace(commit, request=None))


STORES: dict[str, type[RedisStore]] = {"": DoomedStore, EARLY: EarlyStore, FORGETFUL: ForgetfulStore}


async def _change_from(changes: Committer, *arguments: Any, **more: Any) -> Any:
    """Change a session, and be struck at the steps behind ``NOTED``."""
    result = await _CHANGE(changes, *arguments, **more)
    store = changes._store
    if isinstance(store, DoomedStore):
        store.struck_at(NOTIFIED)
        if _due(GONE_OUT):
            asyncio.get_running_loop().call_later(Random().uniform(0, 0.002), store.struck_at, GONE_OUT)
    return result


_CHANGE = Committer.change_from

if __name__ == "__main__":
    with (
        patch.object(observability, "RedisStore", STORES[os.environ.get(PLANTED, "")]),
        patch.object(redis_store, "CallRouter", DoomedCallRouter),
        patch.object(Committer, "change_from", _change_from),
    ):
        sys.exit(run())
