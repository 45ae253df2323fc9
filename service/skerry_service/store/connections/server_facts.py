"""The facts of a server: its durability, as it follows from its settings and statistics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

DURABLE = "durable"

FSYNC = {b"appendfsync": b"always", b"no-appendfsync-on-rewrite": b"no"}
"""The settings that put every write on disk before it is acknowledged."""

_KEEPS = b"noeviction"
_NEVER = b"-1"


class ServerFacts(Struct, frozen=True):
    """The facts that a connection reads from its server."""

    epoch: str
    """``DURABLE`` if the server cannot lose an acknowledged write, with ``-`` and the lineage if there is one.
    Otherwise ``reign``."""
    evicts: str | None
    """The policy by which it evicts keys when memory is short; ``None`` if it evicts none."""
    warnings: tuple[str, ...]
    """The reasons why it is not durable, each as a sentence; empty if it is."""
    reign: str = ""
    """Id of the server's current run as a master. It changes with each restart and each promotion."""
    promoted: bool = False
    """Whether it was a replica before. Writes that it had not received are lost; ``lineage`` records that."""
    lineage: str = ""
    """The field ``redis_keys.LINEAGE`` of the store; empty if absent."""


def facts_of(info: bytes, config: object, lineage: object = None) -> ServerFacts:
    """Return the facts of a server from its replies to ``connection.IDENTIFYING``.

    ``config``: the reply to ``CONFIG GET``, or an error if the user may not call it. ``lineage``: the reply to
    ``HGET``, or an error.
    """
    facts = dict(line.split(b":", 1) for line in info.splitlines() if b":" in line)
    policy = facts.get(b"maxmemory_policy", b"unknown")
    warnings = (*_of_memory(policy), *_of_disk(facts, config), *_of_replication(facts))
    line = lineage.decode() if isinstance(lineage, bytes) else ""
    # A server that is demoted and promoted again keeps its run id and changes its replication id.
    reign = (facts[b"run_id"][:8] + facts.get(b"master_replid", b"")[:8]).decode()
    return ServerFacts(
        epoch=reign if warnings else "-".join(filter(None, (DURABLE, line))),
        evicts=None if policy in (_KEEPS, b"unknown") else policy.decode(),
        warnings=warnings,
        reign=reign,
        promoted=facts.get(b"second_repl_offset", _NEVER) != _NEVER,
        lineage=line,
    )


def _of_memory(policy: bytes) -> Iterator[str]:
    if policy != _KEEPS:
        yield f"The maxmemory-policy is {policy.decode()}, not noeviction: Redis may evict games when memory is short."


def _of_disk(facts: Mapping[bytes, bytes], config: object) -> Iterator[str]:
    if facts.get(b"aof_enabled") != b"1":
        yield "There is no append-only file: a restart of Redis loses every game."
        return
    settings = dict(zip(config[::2], config[1::2], strict=True)) if isinstance(config, list) else {}
    if settings.keys() != FSYNC.keys():
        yield "CONFIG GET is not allowed: a crash of Redis may lose the last acknowledged moves."
    elif settings[b"appendfsync"] != FSYNC[b"appendfsync"]:
        fsync = settings[b"appendfsync"].decode()
        yield f"The appendfsync is {fsync}, not always: a crash of Redis can lose the last acknowledged moves."
    elif settings != FSYNC:
        yield "The no-appendfsync-on-rewrite is not no: a crash of Redis can lose the last acknowledged moves."


def _of_replication(facts: Mapping[bytes, bytes]) -> Iterator[str]:
    """Warn if a replica that lags behind can take over, or has done so.

    A replica that is disconnected counts too: Redis keeps a backlog for it for an hour. So all Skerry replicas report
    the same of a server, whenever they connected to it.
    """
    alone = facts.get(b"connected_slaves") == b"0" and facts.get(b"second_repl_offset") == _NEVER
    if not alone or facts.get(b"role") != b"master" or facts.get(b"repl_backlog_active", b"0") != b"0":
        yield "Redis is replicated: a failover loses the writes that the replica has not received."
