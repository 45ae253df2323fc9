"""Opens the store of a process: an embedded server or a Redis, checked and migrated."""

from __future__ import annotations

from contextlib import AsyncExitStack, suppress
from typing import Any

from skerry_games.catalogue import supported_games
from skerry_service import __version__
from skerry_service.domain.errors import SkerryError, StoreFull, StoreUnavailable
from skerry_service.store.connections.redacted_address import without_secrets
from skerry_service.store.connections.replication_wait import ReplicationWait
from skerry_service.store.connections.tls_mismatch import mismatch
from skerry_service.store.embedded.attached_server import AttachedServer
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.health.write_health import problem_of
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.upgrades.migration import prepare
from skerry_service.store.upgrades.store_format import UnsupportedFormat
from skerry_service.wiring.config import Config
from skerry_service.wiring.observability import Observability
from skerry_service.wiring.store import store_probe


def store_name(config: Config) -> str:
    """Return where sessions are stored, in words."""
    return without_secrets(config.redis_url) if config.redis_url else f"{config.data_dir} (fsync {config.fsync})"


async def start_embedded(config: Config, stack: AsyncExitStack) -> EmbeddedServer:
    """Start the embedded server; the stack stops it. Raises OSError, EmbeddedServerError."""
    embedded = EmbeddedServer(config.data_dir, config.fsync, memory=config.store_memory)
    stack.push_async_callback(embedded.stop)
    try:
        await embedded.start()
    except OSError as error:
        raise OSError(f"cannot use the data directory {config.data_dir}: {error.strerror}") from error
    store = RedisStore(embedded.url)
    with suppress(SkerryError):  # for example, its disk is full: the leases then end by themselves
        await store.matching.forget_crashed(game.ruleset for game in supported_games())
    await store.close()
    return embedded


async def open_store(
    config: Config,
    embedded: EmbeddedServer | AttachedServer | None,
    observed: Observability,
    stack: AsyncExitStack,
) -> RedisStore:
    """Open the store of the settings, and migrate it if its format is an earlier one. The stack closes it.

    ``embedded``: the embedded server, unless the settings name a Redis. Raises OSError if the store cannot be used.
    """
    url = embedded.url if embedded else config.redis_url or ""
    public_url = without_secrets(url)
    try:
        wait = ReplicationWait(config.redis_wait, config.redis_wait_ms) if config.redis_wait else None
        options: dict[str, Any] = (
            dict(disk=embedded.room, on_stored=embedded.record_stored) if embedded else {"wait": wait}
        )
        store = observed.store_at(url, **options)
    except ValueError as error:
        raise OSError(f"{public_url} is not the URL of a Redis: {error}") from error
    stack.push_async_callback(store.close)
    try:
        await store.open()
    except StoreUnavailable as error:
        reason = await mismatch(url) or problem_of(error)
        raise ConnectionError(f"cannot use the Redis at {public_url}: {reason}") from error
    if store.evicts and not config.allow_eviction:
        raise OSError(
            f"the Redis at {public_url} has the maxmemory-policy {store.evicts}, which can evict games. "
            f"Set it to noeviction, or start with --allow-eviction"
        )
    await _prepare(store, public_url)
    return store


async def _prepare(store: RedisStore, public_url: str) -> None:
    """Migrate a store of an earlier format. Raises OSError."""
    try:
        await prepare(store, __version__)
    except UnsupportedFormat as error:
        raise OSError(str(error)) from error
    except StoreFull as error:
        raise OSError(f"the store at {public_url} has no room for its migration") from error
    except StoreUnavailable as error:
        raise ConnectionError(f"cannot migrate the store at {public_url}: {store_probe.root_cause(error)}") from error
