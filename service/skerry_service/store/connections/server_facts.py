"""What a server says of how it keeps what it is given, and what that is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

DURABLE = "durable"

FSYNC = {b"appendfsync": b"always", b"no-appendfsync-on-rewrite": b"no"}
"""The settings with which every write is on disk before it is acknowledged."""

_KEEPS = b"noeviction"
_NEVER = b"-1"


class ServerFacts(Struct, frozen=True):
    """What was learnt of a server when a connection to it was made."""

    epoch: str
    """If the server can be proved to lose no acknowledged write, ``DURABLE``, with the lineage behind it if some were
    lost nevertheless before; else ``reign``."""
    evicts: str | None
    """The policy by which it throws keys away when memory is short; ``None``: it does not."""
    warnings: tuple[str, ...]
    """Why it is not durable, each in a sentence; empty if it is."""
    reign: str = ""
    """An id of this run of it as a master: another one after each restart and each promotion."""
    promoted: bool = False
    """Whether it was a replica before: what it had not received is lost, which ``lineage`` shall tell for good."""
    lineage: str = ""
    """What the store holds under ``keys.LINEAGE``."""


def facts_of(info: bytes, config: object, lineage: object = None) -> ServerFacts:
    """Judge a server. ``config``: its reply to ``CONFIG GET`` of ``FSYNC``, or the error when that is forbidden;
    ``lineage``: what it holds under ``keys.LINEAGE``, if it holds anything, or an error."""
    facts = dict(line.split(b":", 1) for line in info.splitlines() if b":" in line)
    policy = facts.get(b"maxmemory_policy", b"unknown")
    warnings = (*_of_memory(policy), *_of_disk(facts, config), *_of_replication(facts))
    line = lineage.decode() if isinstance(lineage, bytes) else ""
    # A server that is demoted and promoted again goes on in the same run; its replication id is another one.
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
        yield f"The maxmemory-policy is {policy.decode()}, not noeviction: short of memory, Redis may throw games away."


def _of_disk(facts: Mapping[bytes, bytes], config: object) -> Iterator[str]:
    if facts.get(b"aof_enabled") != b"1":
        yield "There is no append-only file: a restart of Redis forgets every game."
        return
    settings = dict(zip(config[::2], config[1::2], strict=True)) if isinstance(config, list) else {}
    if settings.keys() != FSYNC.keys():
        yield "Redis does not tell how it syncs (CONFIG GET): a crash of it may lose what was acknowledged last."
    elif settings[b"appendfsync"] != FSYNC[b"appendfsync"]:
        fsync = settings[b"appendfsync"].decode()
        yield f"The appendfsync is {fsync}, not always: a crash of Redis can lose what was acknowledged last."
    elif settings != FSYNC:
        yield "The no-appendfsync-on-rewrite is not no: a crash of Redis can lose what was acknowledged last."


def _of_replication(facts: Mapping[bytes, bytes]) -> Iterator[str]:
    """A replica that lags behind can take over, or has done so.

    One that is away for a while counts: until an hour later there is a backlog for it. So what replicas of the service
    say of the same server does not depend on when they connected to it.
    """
    alone = facts.get(b"connected_slaves") == b"0" and facts.get(b"second_repl_offset") == _NEVER
    if not alone or facts.get(b"role") != b"master" or facts.get(b"repl_backlog_active", b"0") != b"0":
        yield "Redis is replicated: a failover loses what the replica had not received."
