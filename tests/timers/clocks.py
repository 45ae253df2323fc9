"""Clocks for tests, and helpers for tables with clocks."""

from __future__ import annotations

from skerry_service.domain.clocks import (
    MAX_ALLOWANCE_MS,
)
from skerry_service.domain.log import TimedOut
from skerry_service.domain.record import Clock, ClockKind
from skerry_service.domain.table import Table
from skerry_service.sessions.service import Sessions
from skerry_service.timers.bot_worker import BotWorker
from skerry_service.timers.scheduler import Scheduler, Timer
from skerry_service.timers.session_checks import SessionChecks
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Sitting, log_of, nth_move, uuid

MINUTE = 60_000
PER_MOVE = Clock(ClockKind.PER_MOVE, grace_ms=30_000)
BANK = Clock(ClockKind.BANK, bank_ms=3 * MINUTE, increment_ms=2_000)
GRACE = Clock(ClockKind.BANK_WITH_GRACE, bank_ms=3 * MINUTE, grace_ms=10_000)
DAYS = Clock(ClockKind.CORRESPONDENCE, grace_ms=3 * 24 * 60 * MINUTE)
LATE = MAX_ALLOWANCE_MS + 1


async def now(sessions: Sessions, sitting: Sitting) -> Table:
    return (await sessions.get(sitting.id, None))[0]


async def act(
    sessions: Sessions, sitting: Sitting, seat: int, sent_ms: int | None = None, request: int | None = None
) -> Table:
    table = await now(sessions, sitting)
    one = await sessions.moves.seated(sitting.id, sitting.seats[seat])
    by = None if request is None else uuid(request)
    return (await sessions.moves.act(one, nth_move(table, seat, 0), table.sequence, by, sent_ms))[0].table


async def poll(sessions: Sessions, worker: BotWorker | None = None) -> None:
    """Check the timers that are due, once."""
    store = sessions._live
    checks = SessionChecks(sessions, store, worker or BotWorker(sessions, {}))
    scheduler = Scheduler(store.schedule, [Timer("timers", checks.check, every_ms=0)])
    await scheduler.poll()
    await scheduler.drain()


async def timeouts_of(store: FaultyStore, sitting: Sitting) -> list[TimedOut]:
    entries = [one.entry for change in await log_of(store, sitting.id) for one in change.applied]
    return [one for one in entries if isinstance(one, TimedOut)]
