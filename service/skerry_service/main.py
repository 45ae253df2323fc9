"""Wiring: binds the store to the sessions, the sessions to gRPC and HTTP, and keeps them running."""

from __future__ import annotations

import asyncio
import gc
import re
import signal
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import grpc
import uvloop
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as aio_health
from grpc_reflection.v1alpha import reflection

from skerry_service.config import Config, split_address
from skerry_service.rest.app import App
from skerry_service.rest.pages import pages
from skerry_service.rest.server import HttpServer, address_of, listen
from skerry_service.rpc.checks import LARGEST_REQUEST
from skerry_service.rpc.methods import Methods
from skerry_service.rpc.server import SERVICE, bind
from skerry_service.sessions.errors import StoreUnavailable
from skerry_service.sessions.port import Store
from skerry_service.sessions.service import Sessions
from skerry_service.sessions.thinking import Thinker
from skerry_service.sessions.worker import Worker
from skerry_service.store.embedded import EmbeddedServer
from skerry_service.store.redis_store import RedisStore

_GRACE_SECONDS = 5.0
_LINGER_SECONDS = 0.2
"""How long refusals may be on their way: closing a connection can overtake them."""
_PROBE_SECONDS = 2.0
_PROBED = "0"
"""No session's id: asking for it costs the store nothing."""
_OPTIONS = (
    ("grpc.so_reuseport", 0),  # a second server on the port is a mistake to be told, not a silent half of the calls
    ("grpc.max_receive_message_length", LARGEST_REQUEST),
    ("grpc.max_metadata_size", 8 * 1024),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),  # without it a client that says nothing is waited for a minute longer
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
)

_THINKERS: Mapping[str, Thinker] = {}
"""The levels of bots that think, by name. There are none so far."""

_SERVING = health_pb2.HealthCheckResponse.SERVING
_NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


@dataclass(frozen=True)
class Running:
    """A server that answers calls."""

    address: str
    """``HOST:PORT`` of gRPC."""
    http: str | None
    """``HOST:PORT`` of REST/JSON; ``None``: not served."""
    store: str
    """Where its sessions are kept, in words."""
    failed: asyncio.Future[None]
    """Ends, with an exception, if the server can no longer do its work."""


@asynccontextmanager
async def serving(config: Config) -> AsyncGenerator[Running, None]:
    """Serve until the block is left, then drain. Enter it from the main thread if no ``redis_url`` is given.

    Raises OSError if the port is taken or the Redis cannot be used, EmbeddedServerError if the data directory cannot.
    """
    async with AsyncExitStack() as stack:
        embedded = None if config.redis_url else await _start_embedded(config, stack)
        store = await _open_store(embedded.url if embedded else config.redis_url or "", stack)
        sessions = Sessions(store, clock_ms=_clock_ms, limits=config.limits)
        stack.push_async_callback(Worker(sessions, _THINKERS).close)
        methods = Methods(sessions)
        server, health = _build(sessions, methods)
        port = _bind_port(server, config)
        http, http_address = _bind_http(config, store, sessions, methods)
        await server.start()
        if http is not None:
            http.start()
        stack.push_async_callback(_drain, server, http, sessions)
        stack.push_async_callback(health.enter_graceful_shutdown)
        _run_beside(stack, _probe(store, health))
        failed = _run_beside(stack, embedded.watch()) if embedded else asyncio.get_running_loop().create_future()
        where = _without_secrets(config.redis_url) if config.redis_url else f"{config.data_dir} (fsync {config.fsync})"
        yield Running(f"{config.host}:{port}", http_address, where, failed)


def serve(config: Config, announce: Callable[[Running], None]) -> None:
    """Serve until SIGTERM or SIGINT. ``announce`` is called once the server answers."""
    uvloop.run(_serve(config, announce))


async def _serve(config: Config, announce: Callable[[Running], None]) -> None:
    loop = asyncio.get_running_loop()
    stop = loop.create_future()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _once, stop)
    async with serving(config) as running:
        # What is here by now stays: looking through it again and again costs an eighth of a stream's message.
        gc.freeze()
        gc.set_threshold(10_000, 20, 20)
        announce(running)
        done, _ = await asyncio.wait((stop, running.failed), return_when=asyncio.FIRST_COMPLETED)
        for future in done:
            future.result()


def _once(stop: asyncio.Future[None]) -> None:
    if not stop.done():
        stop.set_result(None)


async def _start_embedded(config: Config, stack: AsyncExitStack) -> EmbeddedServer:
    embedded = EmbeddedServer(config.data_dir, config.fsync)
    stack.push_async_callback(embedded.stop)
    try:
        await embedded.start()
    except OSError as error:
        raise OSError(f"cannot use the data directory {config.data_dir}: {error.strerror}") from error
    return embedded


async def _open_store(url: str, stack: AsyncExitStack) -> RedisStore:
    shown = _without_secrets(url)
    try:
        store = RedisStore(url)
    except ValueError as error:
        raise OSError(f"the address {shown} is no address of a Redis: {error}") from error
    stack.push_async_callback(store.close)
    try:
        await store.open()
    except StoreUnavailable as error:
        raise ConnectionError(f"cannot use the Redis at {shown}: {_reason(error)}") from error
    return store


def _reason(error: BaseException) -> str:
    """Return the words of what an error was raised from in the first place."""
    words = str(error)
    while (cause := error.__cause__) is not None:
        error, words = cause, str(cause) or words
    return words


def _without_secrets(url: str) -> str:
    """Return a URL as it may be shown: without user, password and query."""
    return re.sub(r"//[^/@]*@", "//", url.partition("?")[0])


def _build(sessions: Sessions, methods: Methods) -> tuple[grpc.aio.Server, aio_health.HealthServicer]:
    server = grpc.aio.server(options=_OPTIONS)
    server.add_generic_rpc_handlers((bind(methods, sessions.require_open),))
    health = aio_health.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(health, server)
    health_service = health_pb2.DESCRIPTOR.services_by_name["Health"].full_name
    reflection.enable_server_reflection((SERVICE.full_name, health_service, reflection.SERVICE_NAME), server)
    return server, health


async def _probe(store: Store, health: aio_health.HealthServicer) -> None:
    """Report as healthy only while the store answers: without it no call can succeed."""
    while True:
        status = _SERVING if await _answers(store) else _NOT_SERVING
        for service in ("", SERVICE.full_name):
            await health.set(service, status)
        await asyncio.sleep(_PROBE_SECONDS)


async def _answers(store: Store) -> bool:
    try:
        async with asyncio.timeout(_PROBE_SECONDS):
            await store.tip(_PROBED)
    except (StoreUnavailable, TimeoutError):
        return False
    return True


def _run_beside(stack: AsyncExitStack, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Run it until the stack unwinds."""
    task = asyncio.get_running_loop().create_task(work)

    async def end() -> None:
        task.cancel()
        await asyncio.wait((task,))

    stack.push_async_callback(end)
    return task


async def _drain(server: grpc.aio.Server, http: HttpServer | None, sessions: Sessions) -> None:
    """End the streams and refuse new calls, so that clients go elsewhere; then give those under way their time."""
    await sessions.close()
    await asyncio.sleep(_LINGER_SECONDS)
    stopping = [server.stop(_GRACE_SECONDS)]
    if http is not None:
        stopping.append(http.stop(_GRACE_SECONDS))
    await asyncio.gather(*stopping)


def _bind_http(
    config: Config, store: Store, sessions: Sessions, methods: Methods
) -> tuple[HttpServer | None, str | None]:
    """Return the server for REST/JSON, not yet answering, and its address; nothing if it is not wanted."""
    if config.http is None:
        return None, None

    async def is_ready() -> bool:
        return not sessions.closing and await _answers(store)

    host, port = split_address(config.http)
    listening = listen(host, port)
    app = App(SERVICE, methods, sessions.require_open, pages(SERVICE, is_ready), config.cors_origins)
    return HttpServer(app, listening), address_of(host, listening.getsockname()[1])


def _bind_port(server: grpc.aio.Server, config: Config) -> int:
    try:
        return server.add_insecure_port(f"{config.host}:{config.port}")
    except RuntimeError as error:
        raise OSError(f"cannot listen on {config.host}:{config.port}; is another server there?") from error


def _clock_ms() -> int:
    return time.time_ns() // 1_000_000
