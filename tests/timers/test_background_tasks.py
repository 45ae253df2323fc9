"""The background tasks of a replica survive unexpected errors."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest

from skerry_service.domain.limits import SessionLimits
from skerry_service.sessions.memory_schedule import MemorySchedule
from skerry_service.sessions.service import Sessions
from skerry_service.timers import scheduler
from skerry_service.timers.scheduler import Scheduler, Timer
from skerry_service.watching.presence import Presence
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock

PATIENCE = 20.0


async def check(session: str) -> int | None:
    return None


def scheduler_task(sessions: Sessions, store: FaultyStore) -> Coroutine[Any, Any, None]:
    return Scheduler(store.schedule, [Timer("timers", check, every_ms=0)]).run()


def presence_task(sessions: Sessions, store: FaultyStore) -> Coroutine[Any, Any, None]:
    return sessions.presence.run()


@pytest.mark.parametrize(
    ("work", "kind", "step"),
    [
        (scheduler_task, MemorySchedule, "lease"),
        (presence_task, Presence, "flush"),
    ],
)
async def test_background_tasks_log_an_unexpected_error_and_continue(
    work: Callable[[Sessions, FaultyStore], Coroutine[Any, Any, None]],
    kind: type,
    step: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    original, continued = getattr(kind, step), asyncio.Event()

    async def fails_once(self: Any, *arguments: Any) -> Any:
        if not caplog.records:
            raise ValueError("a fault")
        continued.set()
        whole: Awaitable[Any] = original(self, *arguments)
        return await whole

    monkeypatch.setattr(kind, step, fails_once)
    monkeypatch.setattr(scheduler, "_RETRY_SECONDS", 0.0)
    store = FaultyStore()
    await store.schedule.at("timers", "one", 0)
    sessions = Sessions(store, clock_ms=Clock(), limits=SessionLimits(presence_seconds=0.0))
    task = asyncio.create_task(work(sessions, store))
    async with asyncio.timeout(PATIENCE):
        await continued.wait()
    task.cancel()
    await asyncio.wait([task])
    await sessions.close()
    (record,) = caplog.records
    assert record.exc_info is not None
    assert record.getMessage().endswith("; trying again")
