"""Replicas that send webhooks, over a store in memory whose uptime the tests advance."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from skerry_games.kreta import GAME as KRETA
from skerry_service.domain.record import SESSION_WEBHOOK_EVENTS, WebhookEvent
from skerry_service.sessions.service import Sessions
from skerry_service.timers.scheduler import Scheduler, Timer
from skerry_service.webhooks.allowed_receivers import AllowedReceivers
from skerry_service.webhooks.http_sender import HttpSender, Resolve
from skerry_service.webhooks.webhook_dispatcher import WebhookDispatcher
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock, Sitting, sit_down

ALL = SESSION_WEBHOOK_EVENTS
EVERY = tuple(WebhookEvent)


class Replica:
    """A replica with its webhook dispatcher."""

    def __init__(self, store: FaultyStore, allow: tuple[str, ...], timeout: float, resolve: Resolve | None) -> None:
        self.store, self.clock = store, Clock()
        allowed = AllowedReceivers.read(allow)
        self.sender = HttpSender(allowed, timeout=timeout, resolve=resolve)
        self.sessions = Sessions(store, clock_ms=self.clock, webhooks=allowed.includes)
        self.dispatcher = WebhookDispatcher(self.sessions, store, self.sender.send, lambda: 1_700_000_000)
        self.scheduler = Scheduler(store.schedule, [Timer("deliveries", self.dispatcher.check, every_ms=0)])

    async def deliver(self) -> None:
        """Deliver what is due by now."""
        await self.dispatcher.drain()
        await self.scheduler.poll()
        await self.scheduler.drain()

    async def hook(self, sitting: Sitting, url: str, *seats: int) -> list[str]:
        """Set webhooks for seats. Return their secrets."""
        made = [await self.sessions.webhooks.set(sitting.id, sitting.seats[seat], url, ALL, None) for seat in seats]
        return [secret or "" for _, secret in made]

    async def sit_down(self, url: str, *seats: int, **new: object) -> Sitting:
        """Begin a game of two with webhooks for seats."""
        sitting = await sit_down(self.sessions, KRETA, 2, **new)
        await self.hook(sitting, url, *seats)
        return sitting

    async def close(self) -> None:
        await self.dispatcher.drain()
        await self.scheduler.close()
        await self.sessions.close()


@asynccontextmanager
async def replica_with(
    store: FaultyStore, *allow: str, timeout: float = 5.0, resolve: Resolve | None = None
) -> AsyncIterator[Replica]:
    """Open a replica for which these hosts are allowed receivers. ``timeout``: in seconds."""
    replica = Replica(store, allow, timeout, resolve)
    try:
        yield replica
    finally:
        await replica.close()


async def register(
    replica: Replica, url: str, one: str = "main", events: tuple[WebhookEvent, ...] = EVERY, language: str = ""
) -> str:
    """Set an endpoint of the application ``app``. Return its secret."""
    return (await replica.sessions.endpoints.set("app", one, url, events, None, language=language))[1] or ""


async def of_app(replica: Replica, *applications: str, players: int = 2, **new: object) -> Sitting:
    return await sit_down(replica.sessions, KRETA, players, applications=applications or ("app",), **new)
