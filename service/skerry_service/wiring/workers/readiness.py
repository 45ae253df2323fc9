"""What a worker says when it serves, or that it cannot."""

from __future__ import annotations

from msgspec import Struct


class Ready(Struct, frozen=True, tag=True):
    """Where a worker listens, each ``HOST:PORT`` or ``None``, and why its store may lose something."""

    address: str
    http: str | None
    metrics: str | None
    health: str | None
    admin: str | None
    warnings: tuple[str, ...]


class NotReady(Struct, frozen=True, tag=True):
    """Why a worker does not serve, in a sentence."""

    why: str
