"""Metrics of the store, as one replica sees it."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge


class StoreMetrics:
    """Whether the store accepts writes, keeps them, and has room."""

    def __init__(self, registry: CollectorRegistry) -> None:
        help_text = "1 while every server of the store accepts writes."
        self._up = Gauge("skerry_store_up", help_text, registry=registry)
        help_text = "Servers of the store that accept no writes, by reason."
        self._problems = Gauge("skerry_store_write_problems", help_text, ("reason",), registry=registry)
        help_text = "1 while the store is proved to lose no acknowledged entry."
        self._durable = Gauge("skerry_store_durable", help_text, registry=registry)
        help_text = "Changes of the epoch, each of which may have lost acknowledged entries."
        self._epochs = Counter("skerry_store_epoch_changes", help_text, registry=registry)
        self._epoch = ""
        help_text = "The largest share of maxmemory that a server of the store uses; 0 without maxmemory."
        self._memory = Gauge("skerry_store_memory_used_ratio", help_text, registry=registry)
        self._stored = Gauge("skerry_stored_sessions", "Sessions in the store.", registry=registry)
        help_text = "Sessions whose timer is due and was not handled."
        self._overdue = Gauge("skerry_overdue_sessions", help_text, registry=registry)
        help_text = "Finished sessions that should have moved to the archive."
        self._backlog = Gauge("skerry_archive_backlog_sessions", help_text, registry=registry)

    def record_writes(self, problems: Iterable[str]) -> None:
        """Record for each server that accepts no writes the reason."""
        tally = Tally(problems)
        self._up.set(not tally)
        self._problems.clear()
        for reason, servers in tally.items():
            self._problems.labels(reason).set(servers)

    def record_durability(self, epoch: str, *, durable: bool) -> None:
        """Record the store's epoch, and whether the store is durable."""
        self._durable.set(durable)
        if self._epoch and epoch != self._epoch:
            self._epochs.inc()
        self._epoch = epoch

    def record_amounts(self, stored: int, overdue: int, backlog: int, memory: float) -> None:
        """Record the numbers of sessions, and the used share of memory."""
        self._stored.set(stored)
        self._overdue.set(overdue)
        self._backlog.set(backlog)
        self._memory.set(memory)
