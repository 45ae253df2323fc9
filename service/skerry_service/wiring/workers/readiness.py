"""The first message of a worker to its supervisor: it serves, or it cannot."""

from __future__ import annotations

from msgspec import Struct


class Ready(Struct, frozen=True, tag=True):
    """The addresses of a worker that serves, each ``HOST:PORT`` or ``None``, and the warnings of its store."""

    address: str
    http: str | None
    metrics: str | None
    health: str | None
    admin: str | None
    warnings: tuple[str, ...]


class NotReady(Struct, frozen=True, tag=True):
    """A worker cannot serve."""

    reason: str
