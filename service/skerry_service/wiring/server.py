"""The construction of a server: store, sessions, gRPC and HTTP, and the tasks in the background."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import uvloop
from msgspec.structs import replace

from skerry_games.editions.edition_files import load_editions
from skerry_service import __version__
from skerry_service.access.bans.bans import Bans
from skerry_service.access.identity.identity_tokens import IdentityVerifier
from skerry_service.access.keyring import Keyring
from skerry_service.access.rate_limiter import RateLimiter
from skerry_service.api.endpoint import Endpoint, endpoint_of, sessions_endpoint
from skerry_service.archive.archive import Archive, archive_at
from skerry_service.archive.mover import FOR_GOOD_MS, Mover
from skerry_service.domain.errors import StoreUnavailable
from skerry_service.domain.record import RANDOM
from skerry_service.domain.seating.skeletons import load_prototypes
from skerry_service.edge.admin.admin_port import AdminServices, serve_admin
from skerry_service.edge.grpc.grpc_services import GrpcServices
from skerry_service.edge.grpc.health import HealthMethods
from skerry_service.edge.rest.pages import STOPPING, Problem
from skerry_service.processes.bot_pool import BotPool
from skerry_service.processes.engine_methods import ENGINE, EngineMethods
from skerry_service.processes.engine_pool import EnginePool
from skerry_service.processes.spare_pool import SparePool
from skerry_service.sessions.actions.new_games import NewGames, supported_rulesets
from skerry_service.sessions.resources.audit_log import AuditLog
from skerry_service.sessions.resources.ban_registry import BanRegistry
from skerry_service.sessions.service import Sessions
from skerry_service.store.embedded.attached_server import AttachedServer
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.health.housekeeping import Housekeeper
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.replica_registry import Announcement
from skerry_service.store.upgrades.store_format import FORMAT
from skerry_service.telemetry import service_log
from skerry_service.telemetry.call_observers import CallObservers
from skerry_service.telemetry.metrics import Metrics
from skerry_service.timers.bot_worker import BotWorker
from skerry_service.timers.fair_slots import FairSlots
from skerry_service.timers.scheduler import Scheduler
from skerry_service.webhooks.allowed_receivers import AllowedReceivers
from skerry_service.webhooks.http_sender import HttpSender
from skerry_service.webhooks.webhook_dispatcher import WebhookDispatcher
from skerry_service.wire.payloads import derive_codecs
from skerry_service.wiring import file_descriptors
from skerry_service.wiring.agents import agents_adapter
from skerry_service.wiring.config import Config
from skerry_service.wiring.observability import Observability, observability
from skerry_service.wiring.operators.overview import Overview
from skerry_service.wiring.operators.player_erasure import PlayerErasure
from skerry_service.wiring.operators.replica_loads import ReplicaDrain, announce_load
from skerry_service.wiring.peers import peers_of
from skerry_service.wiring.ports import (
    GRACE_SECONDS,
    HealthChecks,
    Port,
    PortOptions,
    bind_ports,
    certificates_of,
    issuers_of,
    keyring_of,
)
from skerry_service.wiring.store import store_probe
from skerry_service.wiring.store.opened_store import open_store, start_embedded, store_name
from skerry_service.wiring.timers import timers_of

_log = logging.getLogger(__name__)

_LINGER_SECONDS = 0.2
"""Time for rejections to reach clients. Closing a connection can overtake them."""
_MINUTE_MS = 60_000
_ANALYSES_AT_ONCE = 4
"""The number of analyses that are computed at once. Each has the states of a game in memory."""


@dataclass(frozen=True)
class RunningServer:
    """A server that answers calls."""

    address: str
    """``HOST:PORT`` of gRPC."""
    http: str | None
    """``HOST:PORT`` of REST/JSON; ``None``: not served."""
    metrics: str | None
    """``HOST:PORT`` of the metrics; ``None``: not served."""
    store: str
    """Where the sessions are stored, in words."""
    warnings: Sequence[str]
    """Why the store may lose acknowledged changes, one sentence each; empty: it may not."""
    failed: asyncio.Future[None]
    """Fails with the error that ends the server."""
    secure: bool = False
    """Whether gRPC and HTTP use TLS."""
    health: str | None = None
    """``HOST:PORT`` of the health pages; ``None``: not served."""
    admin: str | None = None
    """``HOST:PORT`` of the operator API; ``None``: not served."""
    forward_signal: Callable[[signal.Signals], None] = lambda number: None
    """Forwards a signal to the worker processes, if there are any."""


ServerContext = Callable[[Config], AbstractAsyncContextManager[RunningServer]]
"""Returns a context that serves until it exits."""


@asynccontextmanager
async def running_server(
    config: Config, attached: AttachedServer | None = None, *, shared: bool = False
) -> AsyncGenerator[RunningServer, None]:
    """Serve until the context exits, then drain. Without ``redis_url``, enter it from the main thread.

    ``attached``: the embedded server, if another process runs it; ``shared``: whether other workers listen on the same
    ports. Raises OSError if a port or the Redis cannot be used, EmbeddedServerError if the data directory cannot.
    """
    async with AsyncExitStack() as stack:
        _load(config)
        embedded = attached or (None if config.redis_url else await start_embedded(config, stack))
        observed = observability(config, _clock_ms, stack)
        store = await open_store(config, embedded, observed, stack)
        pool = BotPool(config.bot_workers)
        stack.push_async_callback(pool.close)
        allowed = AllowedReceivers.read(config.webhooks_allow) if config.webhooks_allow else None
        options = dict(
            levels=(RANDOM, *pool.levels()),
            webhooks=allowed.includes if allowed else None,
            new_games=NewGames(store.replicas.rulesets, config.new_games_ruleset, config.cell),
        )
        archive = _archive(config, observed.metrics)
        sessions, mover = _sessions(config, store, archive, observed, options)
        observed.tap(sessions)
        worker = _bot_worker(sessions, pool, FairSlots(max(1, config.bot_workers)), stack)
        limiter = RateLimiter(config.quotas, store, _now_us)
        sessions.refuse_by(limiter.refuse)
        metrics = observed.serve(config.metrics, limiter, stack)
        certificates, keyring, issuers = certificates_of(config), keyring_of(config), issuers_of(config)
        bans, registry = _bans(store)
        access = keyring, IdentityVerifier(issuers) if issuers else None, bans
        load, drain = announce_load(store, sessions, observed.rate, _stop_this_process)
        endpoints = _endpoints(config, sessions, access, limiter, observed.call_observers, stack)
        admin = await serve_admin(
            config,
            AdminServices(
                sessions,
                store,
                PlayerErasure(store, archive, lambda: keyring.value.by_name if keyring else ()),
                Overview(store, sessions, limiter, observed.rejected, worker, _clock_ms, load),
                drain,
                observed.call_observers,
                registry,
                AuditLog(store.resources),
                _clock_ms,
                certificates,
                keyring,
            ),
            stack,
        )
        descriptors = file_descriptors.raise_limit()
        connections = file_descriptors.connections_within(descriptors, config.limits.connections)
        services = GrpcServices(endpoints)
        housekeeper = await _first_tick(store, services.health, bans, stack)
        health = HealthChecks(lambda: _why_not_ready(sessions, store), lambda: _warnings(store, embedded))
        mcp = agents_adapter(config, endpoints[0], limiter, keyring)
        agents = await stack.enter_async_context(mcp) if config.mcp else None
        bound = bind_ports(config, health, services, limiter, PortOptions(connections, shared, certificates, agents))
        load.ports = bound.ports
        await _start(bound.ports, services.health, sessions, drain, stack)
        dispatcher = _webhook_dispatcher(allowed, store, sessions, observed.metrics) if allowed else None
        background = [
            store_probe.monitor(store, services.health, observed.metrics.store if observed.metrics else None),
            Scheduler(store.schedule, timers_of(store, sessions, worker, dispatcher, mover)).run(),
            *((mover.scan_daily(),) if mover else ()),
            bans.run(),
            sessions.presence.run(),
            sessions.ladders.run(),
            sessions.tournaments.run(),
            file_descriptors.watch(descriptors, connections),
            housekeeper.run(),
            *(file.watch() for file in (certificates, keyring, issuers) if file is not None),
        ]
        for task in background:
            run_in_background(stack, task)
        observed.count(sessions, worker, certificates)
        observed.watch_event_loop(stack)
        failed = run_in_background(stack, embedded.watch()) if embedded else asyncio.get_running_loop().create_future()
        yield RunningServer(
            address=bound.grpc,
            http=bound.http,
            metrics=metrics,
            store=store_name(config),
            warnings=store.warnings,
            failed=failed,
            secure=certificates is not None,
            health=bound.health,
            admin=admin,
        )


def serve(config: Config, announce: Callable[[RunningServer], None], context: ServerContext = running_server) -> None:
    """Serve until SIGTERM or SIGINT. Calls ``announce`` once the server answers."""
    uvloop.run(_serve(config, announce, context))


async def _serve(config: Config, announce: Callable[[RunningServer], None], context: ServerContext) -> None:
    loop = asyncio.get_running_loop()
    stop = loop.create_future()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _stop, stop, number)
    levels = _level_signals(config)
    for number in levels:
        loop.add_signal_handler(number, service_log.change_level, levels[number])
    async with context(config) as server:
        for number in levels:
            loop.add_signal_handler(number, _change_level, levels[number], number, server)
        # The objects of the start live on. Scanning them repeatedly costs an eighth of the time of a stream's message.
        gc.freeze()
        gc.set_threshold(10_000, 20, 20)
        for warning in server.warnings:
            _log.warning("the store is not durable: %s", warning)
        announce(server)
        http = f", HTTP at {server.http}" if server.http else ""
        _log.info("serving gRPC at %s%s; games are stored in %s", server.address, http, server.store)
        done, _ = await asyncio.wait((stop, server.failed), return_when=asyncio.FIRST_COMPLETED)
        for future in done:
            future.result()
    _log.info("stopped")


def _stop(stop: asyncio.Future[None], number: signal.Signals) -> None:
    if not stop.done():
        _log.info("received %s; running calls have %d s to finish", number.name, GRACE_SECONDS)
        stop.set_result(None)


def _level_signals(config: Config) -> Mapping[signal.Signals, service_log.Level]:
    """Return the log level for each signal: SIGUSR1 logs everything, SIGUSR2 restores the configured level."""
    return {signal.SIGUSR1: "debug", signal.SIGUSR2: config.log_from}


def _change_level(level: service_log.Level, number: signal.Signals, server: RunningServer) -> None:
    service_log.change_level(level)
    server.forward_signal(number)


def _load(config: Config) -> None:
    """Load what calls need, now, because the first one would wait for it. Raises EditionsUnusable."""
    load_editions(config.editions)
    load_prototypes()
    derive_codecs()


def _bans(store: RedisStore) -> tuple[Bans, BanRegistry]:
    """Return the bans that calls are checked for, and the registry of the operators' changes."""
    registry = BanRegistry(store.resources, store.uptime_ms, _clock_ms, store.ticks.announce_bans)
    bans = Bans(registry.all, store.ticks.uptime_ms)
    store.ticks.on_bans_changed = bans.wake
    return bans, registry


async def _first_tick(store: RedisStore, health: HealthMethods, bans: Bans, stack: AsyncExitStack) -> Housekeeper:
    """Announce this replica, learn of the others and of bans, and report to health whether the store accepts writes.

    The stack announces that the replica stops.
    """
    store.replicas.own = Announcement(__version__, FORMAT, supported_rulesets(), _clock_ms())
    housekeeper = Housekeeper(store, _clock_ms)
    await housekeeper.begin()
    stack.push_async_callback(housekeeper.end)
    with suppress(StoreUnavailable):  # `run` reads them later
        await bans.renew()
    health.report(healthy=store.ticks.problem() is None, durable=not store.warnings)
    return housekeeper


def _archive(config: Config, metrics: Metrics | None) -> Archive | None:
    """Return the archive of finished sessions, if one is configured. Raises OSError."""
    if config.archive is None:
        return None
    archive = archive_at(config.archive, **(dict(on_read=metrics.count_archive_read) if metrics else {}))
    if metrics is not None:
        metrics.add_archive_state(lambda: archive.is_up)
    return archive


def _sessions(
    config: Config, store: RedisStore, archive: Archive | None, observed: Observability, options: Mapping[str, Any]
) -> tuple[Sessions, Mover | None]:
    """Return the sessions, and what moves finished ones to the archive, where they do not expire."""
    if archive is None:
        return Sessions(store, clock_ms=_clock_ms, limits=config.limits, **options), None
    limits = replace(config.limits, finished_lifetime_ms=FOR_GOOD_MS)
    sessions = Sessions(store, clock_ms=_clock_ms, limits=limits, archive=archive, **options)
    counter = dict(on_moved=observed.metrics.count_archived) if observed.metrics else {}
    mover = Mover(store, archive, config.archive_after * _MINUTE_MS, **counter)
    sessions.watch(mover.saw)
    return sessions, mover


def _bot_worker(sessions: Sessions, pool: BotPool, slots: FairSlots, stack: AsyncExitStack) -> BotWorker:
    """Return the worker that decides in the pool. Hints and analyses get the slots that it leaves free."""
    spare = SparePool(pool, slots.spare_slot, FairSlots(_ANALYSES_AT_ONCE).spare_slot) if pool.levels() else None
    sessions.hints.bots = sessions.analyses.bots = spare
    worker = BotWorker(sessions, pool.thinkers(), slots)
    stack.push_async_callback(worker.close)
    return worker


def _webhook_dispatcher(
    allowed: AllowedReceivers, store: RedisStore, sessions: Sessions, metrics: Metrics | None
) -> WebhookDispatcher:
    counter = dict(on_attempt=metrics.count_webhook) if metrics else {}
    return WebhookDispatcher(sessions, store, HttpSender(allowed).send, lambda: _clock_ms() // 1000, **counter)


def _endpoints(
    config: Config,
    sessions: Sessions,
    access: tuple[Keyring | None, IdentityVerifier | None, Bans],
    limiter: RateLimiter,
    observers: CallObservers,
    stack: AsyncExitStack,
) -> Sequence[Endpoint]:
    """Return the endpoints of the served services, with that of the sessions first."""
    endpoint = sessions_endpoint(sessions, limiter, observers, *access, peers_of(config))
    if not config.engine_workers:
        return (endpoint,)
    pool = EnginePool(config.engine_workers)
    stack.push_async_callback(pool.close)
    return endpoint, endpoint_of(ENGINE, EngineMethods(pool), sessions.require_open, limiter, observers, *access)


def run_in_background(stack: AsyncExitStack, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Run the work as a task, which the stack cancels."""
    task = asyncio.get_running_loop().create_task(work)
    stack.push_async_callback(_cancel, task)
    return task


async def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait((task,))


def _why_not_ready(sessions: Sessions, store: RedisStore) -> Problem | None:
    return STOPPING if sessions.closing else store.ticks.problem()


def _warnings(store: RedisStore, embedded: EmbeddedServer | AttachedServer | None) -> Sequence[str]:
    return (*store.warnings, *(embedded.warnings if embedded else ()))


async def _start(
    ports: Sequence[Port], health: HealthMethods, sessions: Sessions, drain: ReplicaDrain, stack: AsyncExitStack
) -> None:
    """Let the ports answer; the stack drains them."""
    for port in ports:
        await port.start()
    stack.push_async_callback(_drain, ports, health, sessions)
    stack.callback(health.report_closing)
    stack.push_async_callback(drain.announce)


async def _drain(ports: Sequence[Port], health: HealthMethods, sessions: Sessions) -> None:
    """End the streams and reject new calls, so that clients reconnect elsewhere. Then let running calls finish."""
    await sessions.close()
    await asyncio.sleep(_LINGER_SECONDS)
    health.close()
    await asyncio.gather(*(port.stop(GRACE_SECONDS) for port in ports))


def _stop_this_process() -> None:
    """Stop as on a signal from outside."""
    signal.raise_signal(signal.SIGTERM)


def _now_us() -> int:
    return time.monotonic_ns() // 1000


def _clock_ms() -> int:
    return time.time_ns() // 1_000_000
