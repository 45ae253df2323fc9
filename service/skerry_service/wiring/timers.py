"""All timers of a replica, which its scheduler runs."""

from __future__ import annotations

from collections.abc import Sequence

from skerry_service.archive import mover as archive_mover
from skerry_service.archive.mover import Mover
from skerry_service.sessions.service import Sessions
from skerry_service.store.redis_store import RedisStore
from skerry_service.timers.bot_worker import BotWorker
from skerry_service.timers.scheduler import Timer
from skerry_service.timers.session_checks import SessionChecks
from skerry_service.webhooks.webhook_dispatcher import WebhookDispatcher


def timers_of(
    store: RedisStore,
    sessions: Sessions,
    worker: BotWorker,
    dispatcher: WebhookDispatcher | None = None,
    mover: Mover | None = None,
) -> Sequence[Timer]:
    """Return the timers. ``dispatcher``: with webhooks; ``mover``: with an archive."""
    timers = [
        Timer("timers", SessionChecks(sessions, store, worker).check, every_ms=60_000),
        Timer("expiry", store.expire, every_ms=120_000),
    ]
    if dispatcher is not None:
        timers.append(Timer("deliveries", dispatcher.check, every_ms=60_000))
    if mover is not None:
        at_once, lease_ms = archive_mover.MOST_AT_ONCE, archive_mover.LEASE_MS
        timers.append(Timer("archive", mover.check, 120_000, lease_ms, at_once, mover.is_ready))
    return timers
