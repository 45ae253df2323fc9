"""The metrics of the matchmaker."""

from __future__ import annotations

import asyncio

from prometheus_client import CollectorRegistry

from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.service import Sessions
from skerry_service.telemetry.match_metrics import MatchMetrics
from tests.matching.strangers import Stranger
from tests.sessions.tables import Clock


async def test_tickets_proposals_waits_and_rounds_are_counted() -> None:
    registry, replica = CollectorRegistry(), Sessions(MemoryStore(), clock_ms=Clock())
    replica.matchmaker.observers.append(MatchMetrics(registry))

    def value(name: str) -> float:
        return registry.get_sample_value(f"skerry_match_{name}", {"game": "kreta"}) or 0.0

    ada = await Stranger(replica, 1).waits()
    await replica.matchmaker.poll()
    assert (value("tickets"), value("proposals_total")) == (1, 0)
    bob = Stranger(replica, 2)
    await asyncio.gather(ada.finds(), bob.finds())
    await replica.matchmaker.poll()
    assert (value("tickets"), value("proposals_total"), value("wait_seconds_count")) == (0, 1, 2)
    assert value("round_seconds_count") > 1
    ghost = await Stranger(replica, 3, confirms=False).waits()
    await Stranger(replica, 4, confirms=False).offered()
    await ghost.hangs_up()
    await replica.matchmaker.poll()
    assert value("no_shows_total") == 1
    await replica.close()
