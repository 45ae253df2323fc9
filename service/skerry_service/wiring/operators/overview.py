"""The state of the service for operators: ``GetOverview``. It is read when an operator asks, and never otherwise."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from skerry.admin.v1 import overview_pb2 as pb
from skerry_service import __version__
from skerry_service.access.rate_limiter import RateLimiter
from skerry_service.domain.endpoints.webhook_endpoints import EndpointState, NamedEndpoint
from skerry_service.domain.errors import StoreFull, StoreUnavailable
from skerry_service.sessions.service import Sessions
from skerry_service.store import redis_keys
from skerry_service.store.connections.free_space import memory_of
from skerry_service.store.health.replica_states import ReplicaState
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.replica_registry import Announcement
from skerry_service.telemetry.rejected_callers import RejectedCallers
from skerry_service.timers.bot_worker import BotWorker
from skerry_service.wiring.operators.replica_loads import OwnLoad

_MOST = 50
"""Callers and endpoints in a response."""
_OVERDUE_MS = 15_000


@dataclass
class Overview:
    """Reads the state of the service."""

    store: RedisStore
    sessions: Sessions
    limiter: RateLimiter
    rejected: RejectedCallers
    worker: BotWorker
    clock_ms: Callable[[], int]
    load: OwnLoad

    async def __call__(self) -> pb.GetOverviewResponse:
        """Return the state. Without the store, the parts that need it are empty."""
        response = pb.GetOverviewResponse(
            limits=[
                pb.ReachedLimit(name=name, count=count) for name, count in self.limiter.refused.most_common() if count
            ],
            bots=pb.BotStatus(decisions=self.worker.busy, waiting=self.worker.slots.waiting),
        )
        response.time.FromMilliseconds(self.clock_ms())
        for one in self.rejected.most(_MOST):
            caller = response.rejected.add(key=one.key, address=one.address, reason=one.reason, count=one.count)
            caller.last_time.FromMilliseconds(one.last_ms)
        response.store.problems.extend(problem.sentence for problem in self.store.ticks.problems())
        response.store.warnings.extend(self.store.warnings)
        own = self._own()
        response.replicas.append(own)
        try:
            others = [one for one in await self.store.replica_states.all() if one.id != self.store.replicas.id]
            response.replicas.extend(map(_replica, others))
            await self._read_store(response.store)
            uptime_ms = await self.store.uptime_ms()
            response.queues.extend(self._queues(uptime_ms))
            response.webhooks.CopyFrom(await self._webhooks(uptime_ms))
        except (StoreUnavailable, StoreFull):
            if not response.store.problems:
                response.store.problems.append("The store does not answer.")
        return response

    def _own(self) -> pb.Replica:
        registry, announced = self.store.replicas, self.store.replicas.own or Announcement(__version__, 0, {})
        own = _replica(ReplicaState(registry.id, announced, self.load.now(), self.sessions.closing, 0))
        own.answers = True
        return own

    async def _read_store(self, status: pb.StoreStatus) -> None:
        began = time.perf_counter()
        infos = await self.store.query_each("INFO", "memory")
        status.round_trip.CopyFrom(_duration((time.perf_counter() - began) * 1000))
        for used, limit in map(memory_of, infos):
            status.servers.add(used_bytes=used, max_bytes=limit)
        status.sessions = await self._entries("expiry")
        status.overdue_sessions = await self.store.schedule.overdue("timers", _OVERDUE_MS)

    async def _entries(self, queue: str) -> int:
        return sum(await asyncio.gather(*(self.store.query("ZCARD", key) for key in redis_keys.shards(queue))))

    def _queues(self, uptime_ms: int) -> Iterable[pb.QueueStatus]:
        for waiting in self.sessions.matchmaker.waiting():
            queue = pb.QueueStatus(
                ruleset=waiting.ruleset, tickets=waiting.tickets, leads=waiting.all_tickets is not None
            )
            if waiting.since_ms is not None:
                queue.longest_wait.CopyFrom(_duration(uptime_ms - waiting.since_ms))
            if waiting.all_tickets is not None:
                queue.all_tickets = waiting.all_tickets
            yield queue

    async def _webhooks(self, uptime_ms: int) -> pb.WebhookStatus:
        known = await self.sessions.endpoints.everything()
        failing = [one for one in known if _fails(one)][:_MOST]
        return pb.WebhookStatus(
            pending_sessions=await self._entries("deliveries"),
            endpoints=len(known),
            failing=[_failing(one, uptime_ms) for one in failing],
        )


def _replica(state: ReplicaState) -> pb.Replica:
    figures = state.figures
    replica = pb.Replica(
        name=f"replicas/{state.id}",
        build=state.announced.build,
        draining=state.draining,
        silent_for=_duration(state.silent_ms),
        figures_missing=figures is None,
    )
    if state.announced.started_ms:
        replica.start_time.CopyFrom(_time(state.announced.started_ms))
    if figures is not None:
        replica.host, replica.process_id = figures.host, figures.process_id
        replica.connections, replica.streams = figures.connections, figures.streams
        replica.cached_sessions, replica.memory_bytes = figures.cached_sessions, figures.memory_bytes
        if figures.calls_per_second is not None:
            replica.calls_per_second = figures.calls_per_second
    return replica


def _fails(named: NamedEndpoint) -> bool:
    return named.endpoint.failing_since_ms is not None or named.endpoint.state is not EndpointState.ENABLED


def _failing(named: NamedEndpoint, uptime_ms: int) -> pb.FailingEndpoint:
    parts, since = urlsplit(named.endpoint.url), named.endpoint.failing_since_ms
    failing = pb.FailingEndpoint(
        application=named.application,
        endpoint=named.id,
        origin=f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}",
        off=named.endpoint.state is not EndpointState.ENABLED,
        failure=named.endpoint.failure,
    )
    if since is not None:
        failing.failing_for.CopyFrom(_duration(uptime_ms - since))
    return failing


def _duration(milliseconds: float) -> Duration:
    duration = Duration()
    duration.FromMicroseconds(max(0, int(milliseconds * 1000)))
    return duration


def _time(milliseconds: int) -> Timestamp:
    time = Timestamp()
    time.FromMilliseconds(milliseconds)
    return time
