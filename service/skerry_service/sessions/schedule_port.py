"""The port of the schedule: when which session is to be checked, and which replica does so.

The schedule says only when to check a session. Whether anything is due there, the session alone decides. So a needless
check does no harm, and a check that is missing would.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from msgspec import Struct

Queue = Literal["timers", "deliveries", "archive", "expiry"]
"""What a session is checked for: its clocks, players and bots; its webhooks; its move to the archive; its end."""
QUEUES: tuple[Queue, ...] = ("timers", "deliveries", "archive", "expiry")


class Lease(Struct, frozen=True):
    """A session that is due in a queue, and that one replica checks."""

    queue: Queue
    session: str
    until: int
    """The uptime in ms at which the session is due again, if the replica has not finished by then."""


class Schedule(Protocol):
    """The due times of sessions, by queue. Times are durations in ms, measured by the store's uptime.

    Methods raise ``StoreUnavailable``, and ``at`` also ``StoreFull``.
    """

    async def at(self, queue: Queue, session: str, after_ms: int, *, earlier: bool = True) -> None:
        """Let a session be due after that time. Of this time and one that is scheduled already, the earlier holds.

        ``earlier``: ``False`` if the later one holds.
        """

    async def lease(self, queue: Queue, most: int, ms: int, every_ms: int = 0) -> Sequence[Lease]:
        """Return up to ``most`` sessions that are due, and let each be due again after ``ms``.

        Each is leased to one caller. ``every_ms``: as for ``due_in``; 0 reads the whole queue.
        """

    async def done(self, lease: Lease, again_ms: int | None = None) -> None:
        """End a lease. The session is due again after ``again_ms``, or not at all.

        Do nothing if the session has been scheduled anew since the lease was given, or leased to another caller.
        """

    def due_in(self, queue: Queue, every_ms: int) -> float:
        """Return the ms until ``lease`` may find something.

        A replica knows what it has scheduled, and what it has read. ``every_ms``: how often it reads what other
        replicas have scheduled since.
        """

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call ``watcher`` when this replica has scheduled something. It must return at once."""
