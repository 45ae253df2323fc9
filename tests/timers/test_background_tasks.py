"""The background tasks of a replica survive unexpected errors."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

import pytest

from skerry_service.domain.limits import SessionLimits
from skerry_service.domain.webhook_events import Receiver
from skerry_service.sessions.service import Sessions
from skerry_service.timers import scheduler
from skerry_service.timers.bot_worker import BotWorker
from skerry_service.timers.scheduler import Scheduler
from skerry_service.watching.presence import Presence
from skerry_service.webhooks import webhook_dispatcher
from skerry_service.webhooks.webhook_dispatcher import WebhookDispatcher
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock

PATIENCE = 20.0


async def send(to: Receiver, headers: Sequence[tuple[str, str]], body: bytes) -> int:
    raise AssertionError("no delivery is due")


def scheduler_task(sessions: Sessions, store: FaultyStore) -> Coroutine[Any, Any, None]:
    return Scheduler(sessions, BotWorker(sessions, {})).run()


def presence_task(sessions: Sessions, store: FaultyStore) -> Coroutine[Any, Any, None]:
    return sessions.presence.run()


def dispatcher_task(sessions: Sessions, store: FaultyStore) -> Coroutine[Any, Any, None]:
    return WebhookDispatcher(sessions, store, send, lambda: 0).run()


@pytest.mark.parametrize(
    ("work", "kind", "step"),
    [
        (scheduler_task, Scheduler, "poll"),
        (presence_task, Presence, "flush"),
        (dispatcher_task, WebhookDispatcher, "poll"),
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

    async def fails_once(self: Any) -> Any:
        if not caplog.records:
            raise ValueError("a fault")
        continued.set()
        whole: Awaitable[Any] = original(self)
        return await whole

    monkeypatch.setattr(kind, step, fails_once)
    for module in (scheduler, webhook_dispatcher):
        monkeypatch.setattr(module, "_POLL_SECONDS", 0.0)
    store = FaultyStore()
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
