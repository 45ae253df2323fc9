"""The checks of ``skerry doctor`` on the settings and the state of the store."""

from __future__ import annotations

from collections.abc import Iterator

from skerry_service.cli.operators.diagnosed import Diagnosis, State
from skerry_service.store.connections.free_space import FreeSpace, on_disk
from skerry_service.store.diagnosis import Vitals
from skerry_service.store.redis_store import RedisStore
from skerry_service.wiring.config import Config

_SKEW_MS = 2_000
"""Tolerated difference of clocks: network delay, and more than anyone notices."""


async def of_writes(store: RedisStore) -> Diagnosis:
    """Write a key to each server, and delete it."""
    problems = await store.ticks.probe()
    if not problems:
        return Diagnosis("ok", "writes", "A key was written and deleted.")
    sentence = f"{problems[0].sentence} It said: {problems[0].detail.rstrip('.')}."
    return Diagnosis("wrong", "writes", sentence, 'see "Health" in docs/how-to/operations.md.')


def store_diagnoses(store: RedisStore, signs: Vitals, config: Config, *, accept_loss: bool) -> Iterator[Diagnosis]:
    """Yield the result of each other check. ``accept_loss``: whether the store may have no append-only file."""
    yield _of_eviction(store, config)
    yield _of_durability(store, signs, accept_loss=accept_loss)
    if config.redis_url and config.redis_wait:
        yield _of_replicas(signs, config)
    if (timeout := _of_connections(signs)) is not None:
        yield timeout
    yield _of_clocks(signs)
    yield _of_room(signs, config)


def _of_eviction(store: RedisStore, config: Config) -> Diagnosis:
    if store.evicts is None:
        return Diagnosis("ok", "eviction", "If memory is short, the store rejects writes and evicts nothing.")
    sentence = f"The maxmemory-policy is {store.evicts}, which can evict sessions."
    state: State = "advice" if config.allow_eviction else "wrong"
    return Diagnosis(state, "eviction", sentence, "set maxmemory-policy to noeviction.")


def _of_durability(store: RedisStore, signs: Vitals, *, accept_loss: bool) -> Diagnosis:
    others = [warning for warning in store.warnings if "maxmemory-policy" not in warning]
    if not others:
        return Diagnosis("ok", "durability", "Acknowledged entries are on disk.")
    advice = "set appendonly yes, appendfsync always and no-appendfsync-on-rewrite no, or read "
    advice += "docs/how-to/redis.md."
    if signs.has_log or accept_loss:
        return Diagnosis("advice", "durability", " ".join(others), advice)
    return Diagnosis("wrong", "durability", " ".join(others), f"{advice} Or accept the loss with --accept-loss.")


def _of_connections(signs: Vitals) -> Diagnosis | None:
    if not signs.timeout_s:
        return None
    sentence = f"The timeout of the Redis is {signs.timeout_s} s: it closes connections that are idle for that long."
    return Diagnosis("advice", "timeout", sentence, "set timeout to 0.")


def _of_replicas(signs: Vitals, config: Config) -> Diagnosis:
    wanted = f"The store has {signs.replicas} of the {config.redis_wait} replicas of SKERRY_REDIS_WAIT"
    if signs.replicas >= config.redis_wait:
        return Diagnosis("ok", "replicas", f"{wanted}.")
    sentence = f"{wanted}, so no change can be acknowledged."
    return Diagnosis("wrong", "replicas", sentence, "start its replicas, or lower SKERRY_REDIS_WAIT.")


def _of_clocks(signs: Vitals) -> Diagnosis:
    if abs(signs.skew_ms) <= _SKEW_MS and signs.replicas_ahead_ms <= _SKEW_MS:
        return Diagnosis("ok", "clocks", "The clocks of the store, of its replicas and of this machine agree.")
    skew = f"{abs(signs.skew_ms) / 1000:,.0f} s {'ahead of' if signs.skew_ms > 0 else 'behind'}"
    ahead = f"the clock of a replica has been {signs.replicas_ahead_ms / 1000:,.0f} s ahead of it"
    sentence = f"The store's clock is {skew} this machine's; {ahead}. Log times are wrong. No session expires early."
    return Diagnosis("advice", "clocks", sentence, "set the clocks of all machines with NTP.")


def _of_room(signs: Vitals, config: Config) -> Diagnosis:
    if not signs.is_bounded:
        sentence = "The Redis has no maxmemory, so it grows until the operating system ends it."
        advice = "set maxmemory below the memory of its machine. The service then rejects new sessions in time."
        return Diagnosis("advice", "memory", sentence, advice)
    if signs.room is not FreeSpace.PLENTY:
        advice = "raise maxmemory (SKERRY_STORE_MEMORY). New sessions fail until then."
        return Diagnosis("wrong", "memory", "Less than a tenth of the store's memory is free.", advice)
    if not config.redis_url and on_disk(config.data_dir) is not FreeSpace.PLENTY:
        return Diagnosis("wrong", "disk", f"Less than 64 MiB are free at {config.data_dir}.", "free disk space there.")
    return Diagnosis("ok", "room", "There is room for new sessions.")
