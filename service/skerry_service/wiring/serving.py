"""Wiring: binds the store to the sessions, the sessions to gRPC and HTTP, and keeps them running."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import uvloop
from msgspec.structs import replace

from skerry_service.access.keyring import Keyring
from skerry_service.access.rate_limiter import RateLimiter
from skerry_service.api.endpoint import Endpoint, endpoint_of, sessions_endpoint
from skerry_service.archive.archive import archive_at
from skerry_service.archive.mover import FOR_GOOD_MS, Mover
from skerry_service.domain.errors import StoreUnavailable
from skerry_service.domain.record import RANDOM
from skerry_service.edge.admin.admin_port import AdminServices, serve_admin
from skerry_service.edge.grpc.grpc_server import GrpcServer
from skerry_service.edge.http.http_server import HttpServer
from skerry_service.processes.bot_pool import BotPool
from skerry_service.processes.engine_methods import ENGINE, EngineMethods
from skerry_service.processes.engine_pool import EnginePool
from skerry_service.sessions.service import Sessions
from skerry_service.sessions.store_port import Store
from skerry_service.store.connections.redacted_address import without_secrets
from skerry_service.store.connections.replication_wait import ReplicationWait
from skerry_service.store.embedded.attached_server import AttachedServer
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.housekeeping import Housekeeper
from skerry_service.store.redis_store import RedisStore
from skerry_service.telemetry import service_log
from skerry_service.telemetry.call_observers import CallObservers
from skerry_service.telemetry.metrics import Metrics
from skerry_service.timers.bot_worker import BotWorker
from skerry_service.timers.scheduler import Scheduler
from skerry_service.webhooks.allowed_receivers import AllowedReceivers
from skerry_service.webhooks.http_sender import HttpSender
from skerry_service.webhooks.webhook_dispatcher import WebhookDispatcher
from skerry_service.wiring import file_descriptors
from skerry_service.wiring.config import Config
from skerry_service.wiring.listening import GRACE_SECONDS, Health, Ports, bind_http, certificates_of, keyring_of
from skerry_service.wiring.observability import Observability, observability
from skerry_service.wiring.store_probe import answers, probe, reason_of

_log = logging.getLogger(__name__)

_LINGER_SECONDS = 0.2
"""How long refusals may be on their way: closing a connection can overtake them."""
_MINUTE_MS = 60_000


@dataclass(frozen=True)
class Running:
    """A server that answers calls."""

    address: str
    """``HOST:PORT`` of gRPC."""
    http: str | None
    """``HOST:PORT`` of REST/JSON; ``None``: not served."""
    metrics: str | None
    """``HOST:PORT`` of the counters; ``None``: not served."""
    store: str
    """Where its sessions are kept, in words."""
    warnings: Sequence[str]
    """Why the store may lose what it acknowledged, each in a sentence about it; none: it does not."""
    failed: asyncio.Future[None]
    """Ends, with an exception, if the server can no longer do its work."""
    secure: bool = False
    """Whether gRPC and HTTP speak TLS."""
    health: str | None = None
    """``HOST:PORT`` of health for probes; ``None``: not served."""
    admin: str | None = None
    """``HOST:PORT`` of operators' calls; ``None``: not served."""
    pass_on: Callable[[signal.Signals], None] = lambda number: None
    """Passes a signal on to the processes that serve in this one's place, if there are any."""


Serving = Callable[[Config], AbstractAsyncContextManager[Running]]
"""Serves until its block is left."""


@asynccontextmanager
async def serving(
    config: Config, attached: AttachedServer | None = None, *, shared: bool = False
) -> AsyncGenerator[Running, None]:
    """Serve until the block is left, then drain. Enter it from the main thread if no ``redis_url`` is given.

    ``attached``: the embedded server, where another process runs it; ``shared``: whether others listen there as well.
    Raises OSError if the port is taken or the Redis cannot be used, EmbeddedServerError if the data directory cannot.
    """
    async with AsyncExitStack() as stack:
        embedded = attached or (None if config.redis_url else await start_embedded(config, stack))
        watched = observability(config, _clock_ms, stack)
        store = await _open_store(config, embedded, watched, stack)
        pool = BotPool(config.bot_workers)
        stack.push_async_callback(pool.close)
        thinkers = pool.levels()
        allowed = AllowedReceivers.read(config.webhooks_allow) if config.webhooks_allow else None
        more = dict(levels=(RANDOM, *thinkers), webhooks=allowed.includes if allowed else None)
        sessions = _sessions(config, store, watched.metrics, more, stack)
        watched.tap(sessions)
        worker = BotWorker(sessions, thinkers)
        stack.push_async_callback(worker.close)
        gate = RateLimiter(config.quotas, store, _now_us)
        sessions.refuse_by(gate.refuse)
        metrics_address = watched.serve(config.metrics, gate, stack)
        certificates, keyring = certificates_of(config), keyring_of(config)
        endpoints = _endpoints(config, sessions, keyring, gate, watched.watchers, stack)
        operating = AdminServices(sessions, store, _end_this, watched.watchers, certificates, keyring)
        admin = await serve_admin(config, operating, stack)
        open_files = file_descriptors.raise_limit()
        connections = file_descriptors.connections_within(open_files, config.limits.connections)
        server = GrpcServer(endpoints, config.host, config.port, connections, shared=shared, certificates=certificates)
        health = Health(lambda: _is_ready(sessions, store), lambda: _warnings(store, embedded))
        ports = Ports(connections, shared, certificates.context if certificates else None)
        listening = bind_http(config, health, endpoints, gate, ports)
        await server.start()
        for http in listening.servers:
            http.start()
        stack.push_async_callback(_drain, server, listening.servers, sessions)
        stack.push_async_callback(server.report_closing)
        beside = [
            probe(store, server, watched.metrics),
            Scheduler(sessions, worker).run(),
            sessions.presence.run(),
            file_descriptors.watch(open_files, connections),
            Housekeeper(store, _clock_ms).run(),
            *(file.watch() for file in (certificates, keyring) if file is not None),
        ]
        if allowed is not None:
            beside.append(_webhook_dispatcher(allowed, store, sessions, stack).run())
        for work in beside:
            run_beside(stack, work)
        watched.count(sessions, worker, certificates)
        failed = run_beside(stack, embedded.watch()) if embedded else asyncio.get_running_loop().create_future()
        addresses = (server.address, listening.http, metrics_address)
        apart = (certificates is not None, listening.health, admin)
        yield Running(*addresses, where_kept(config), store.warnings, failed, *apart)


def where_kept(config: Config) -> str:
    """Return where sessions are kept, in words."""
    return without_secrets(config.redis_url) if config.redis_url else f"{config.data_dir} (fsync {config.fsync})"


def serve(config: Config, announce: Callable[[Running], None], serving: Serving = serving) -> None:
    """Serve until SIGTERM or SIGINT. ``announce`` is called once the server answers."""
    uvloop.run(_serve(config, announce, serving))


async def _serve(config: Config, announce: Callable[[Running], None], serving: Serving) -> None:
    loop = asyncio.get_running_loop()
    stop = loop.create_future()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _once, stop, number)
    levels = _level_signals(config)
    for number in levels:
        loop.add_signal_handler(number, service_log.change_level, levels[number])
    async with serving(config) as running:
        for number in levels:
            loop.add_signal_handler(number, _change_level, levels[number], number, running)
        # What is here by now stays: looking through it again and again costs an eighth of a stream's message.
        gc.freeze()
        gc.set_threshold(10_000, 20, 20)
        for warning in running.warnings:
            _log.warning("the store is not durable: %s", warning)
        announce(running)
        http = f", HTTP at {running.http}" if running.http else ""
        _log.info("serving gRPC at %s%s; games are kept in %s", running.address, http, running.store)
        done, _ = await asyncio.wait((stop, running.failed), return_when=asyncio.FIRST_COMPLETED)
        for future in done:
            future.result()
    _log.info("stopped")


def _once(stop: asyncio.Future[None], number: signal.Signals) -> None:
    if not stop.done():
        _log.info("told to stop by %s; calls under way have %d s", number.name, GRACE_SECONDS)
        stop.set_result(None)


def _level_signals(config: Config) -> Mapping[signal.Signals, service_log.Level]:
    """Return the signals that change what the log tells: all there is, and what it is set to."""
    return {signal.SIGUSR1: "debug", signal.SIGUSR2: config.log_from}


def _change_level(level: service_log.Level, number: signal.Signals, running: Running) -> None:
    service_log.change_level(level)
    running.pass_on(number)


async def start_embedded(config: Config, stack: AsyncExitStack) -> EmbeddedServer:
    """Start the server over the data directory; the stack stops it. Raises OSError, EmbeddedServerError."""
    embedded = EmbeddedServer(config.data_dir, config.fsync, memory=config.store_memory)
    stack.push_async_callback(embedded.stop)
    try:
        await embedded.start()
    except OSError as error:
        raise OSError(f"cannot use the data directory {config.data_dir}: {error.strerror}") from error
    return embedded


async def _open_store(
    config: Config,
    embedded: EmbeddedServer | AttachedServer | None,
    watched: Observability,
    stack: AsyncExitStack,
) -> RedisStore:
    url = embedded.url if embedded else config.redis_url or ""
    shown = without_secrets(url)
    try:
        wait = ReplicationWait(config.redis_wait, config.redis_wait_ms) if config.redis_wait else None
        more: dict[str, Any] = dict(disk=embedded.room, on_stored=embedded.note_stored) if embedded else {"wait": wait}
        store = watched.store_at(url, **more)
    except ValueError as error:
        raise OSError(f"the address {shown} is no address of a Redis: {error}") from error
    stack.push_async_callback(store.close)
    try:
        await store.open()
    except StoreUnavailable as error:
        raise ConnectionError(f"cannot use the Redis at {shown}: {reason_of(error)}") from error
    if store.evicts and not config.allow_eviction:
        raise OSError(
            f"the Redis at {shown} has the maxmemory-policy {store.evicts}, which can throw games away: "
            f"set it to noeviction, or allow it with --allow-eviction"
        )
    return store


def _sessions(
    config: Config, store: RedisStore, metrics: Metrics | None, more: Mapping[str, Any], stack: AsyncExitStack
) -> Sessions:
    """Return the sessions; with an archive none that is finished ends: it moves. Raises OSError."""
    if config.archive is None:
        return Sessions(store, clock_ms=_clock_ms, limits=config.limits, **more)
    archive = archive_at(config.archive, **(dict(on_read=metrics.count_archive_read) if metrics else {}))
    if metrics is not None:
        metrics.add_archive_state(lambda: archive.is_up)
    limits = replace(config.limits, finished_lifetime_ms=FOR_GOOD_MS)
    sessions = Sessions(store, clock_ms=_clock_ms, limits=limits, archive=archive, **more)
    counted = dict(on_moved=metrics.count_archived) if metrics else {}
    mover = Mover(store, archive, config.archive_after * _MINUTE_MS, **counted)
    sessions.watch(mover.saw)
    run_beside(stack, mover.run())
    return sessions


def _webhook_dispatcher(
    allowed: AllowedReceivers, store: RedisStore, sessions: Sessions, stack: AsyncExitStack
) -> WebhookDispatcher:
    """Return a dispatcher of webhooks, which the stack closes."""
    dispatcher = WebhookDispatcher(sessions, store, HttpSender(allowed).send, lambda: _clock_ms() // 1000)
    stack.push_async_callback(dispatcher.close)
    return dispatcher


def _endpoints(
    config: Config,
    sessions: Sessions,
    keyring: Keyring | None,
    gate: RateLimiter,
    watchers: CallObservers,
    stack: AsyncExitStack,
) -> Sequence[Endpoint]:
    """Return the endpoints of the services on offer, that of the sessions first."""
    table = sessions_endpoint(sessions, gate, watchers, keyring)
    if not config.engine_workers:
        return (table,)
    pool = EnginePool(config.engine_workers)
    stack.push_async_callback(pool.close)
    return table, endpoint_of(ENGINE, EngineMethods(pool), sessions.require_open, gate, watchers, keyring)


def run_beside(stack: AsyncExitStack, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Run it until the stack unwinds."""
    task = asyncio.get_running_loop().create_task(work)
    stack.push_async_callback(_end, task)
    return task


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait((task,))


async def _is_ready(sessions: Sessions, store: Store) -> bool:
    return not sessions.closing and await answers(store)


def _warnings(store: RedisStore, embedded: EmbeddedServer | AttachedServer | None) -> Sequence[str]:
    return (*store.warnings, *(embedded.warnings if embedded else ()))


async def _drain(server: GrpcServer, listening: Sequence[HttpServer], sessions: Sessions) -> None:
    """End the streams and refuse new calls, so that clients go elsewhere; then give those under way their time."""
    await sessions.close()
    await asyncio.sleep(_LINGER_SECONDS)
    await asyncio.gather(server.stop(GRACE_SECONDS), *(http.stop() for http in listening))


def _end_this() -> None:
    """Let this process end as when it is told to from outside."""
    signal.raise_signal(signal.SIGTERM)


def _now_us() -> int:
    return time.monotonic_ns() // 1000


def _clock_ms() -> int:
    return time.time_ns() // 1_000_000
