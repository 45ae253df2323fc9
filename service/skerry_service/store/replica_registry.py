"""The live replicas of a store, and what each supports. Every second tick of the store clock announces its replica."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from secrets import token_hex

from msgspec import MsgspecError, Struct, msgpack

_ID_BYTES = 16
"""Bytes of the id of a replica. Another process is another replica."""
_SILENT_MS = 7_000
"""Time after which a replica without an announcement may be gone: one comes every four seconds."""


class Announcement(Struct, frozen=True, array_like=True):
    """What a replica supports."""

    build: str
    """Its version."""
    format: int
    """The store format that it uses."""
    rulesets: Mapping[str, tuple[str, ...]]
    """The rulesets that it supports, by game."""
    started_ms: int = 0
    """When it started, by its wall clock; 0: unknown."""


class ReplicaFigures(Struct, frozen=True, array_like=True):
    """The load of a replica when it announced itself, for operators."""

    host: str
    """The name of its machine, container or pod."""
    process_id: int
    connections: int
    streams: int
    cached_sessions: int
    memory_bytes: int
    """0: unknown."""
    calls_per_second: float | None = None
    """``None``: the replica counts no calls."""


class ReplicaRegistry:
    """What this replica announces, and what it knows of the others from its last tick."""

    def __init__(self) -> None:
        self._id = token_hex(_ID_BYTES // 2).encode()
        self.own: Announcement | None = None
        """``None``: a tool that serves nothing, or a replica that has stopped."""
        self.others: Sequence[Announcement] = ()
        self.on_silent: Callable[[], None] = lambda: None
        """Called when a replica has stopped, or has been silent for some seconds."""
        self._heard: Collection[bytes] = ()
        self.figures: Callable[[], ReplicaFigures] | None = None
        """Reads the load of this replica."""
        self.on_drain: Callable[[], None] = lambda: None
        """Called once when an operator has marked this replica to drain."""
        self._is_marked = False

    @property
    def id(self) -> str:
        """The id of this replica: 16 hexadecimal digits."""
        return self._id.decode()

    def packed_figures(self) -> bytes:
        """Return the load of this replica, packed; empty if it announces none."""
        return b"" if self.own is None or self.figures is None else msgpack.encode(self.figures())

    def marked(self, mark: bytes | None) -> None:
        """Take note of the mark to drain that the store has for this replica; ``None``: it has none."""
        if mark is not None and self.own is not None and not self._is_marked:
            self._is_marked = True
            self.on_drain()

    def entry(self) -> bytes:
        """Return the entry of this replica: its id and its announcement; empty if it announces nothing."""
        return b"" if self.own is None else self._id + msgpack.encode(self.own)

    def learn(self, live: Sequence[bytes], uptime_ms: int) -> None:
        """Take over the entries of all live replicas. Those that this build cannot read do not count.

        ``live``: entries, each followed by the uptime at which it announced itself.
        """
        announced_at = {entry: float(at) for entry, at in zip(live[::2], live[1::2], strict=True)}
        announced = [_announcement(entry[_ID_BYTES:]) for entry in announced_at if entry[:_ID_BYTES] != self._id]
        self.others = [one for one in announced if one is not None]
        before = self._heard
        self._heard = {entry[:_ID_BYTES] for entry, at in announced_at.items() if uptime_ms - at < _SILENT_MS}
        if any(one not in self._heard for one in before):
            self.on_silent()

    def rulesets(self) -> Collection[Mapping[str, Collection[str]]]:
        """Return what each other live replica supports."""
        return [one.rulesets for one in self.others]


_decode = msgpack.Decoder(Announcement).decode
_decode_figures = msgpack.Decoder(ReplicaFigures).decode


def _announcement(packed: bytes) -> Announcement | None:
    try:
        return _decode(packed)
    except (MsgspecError, ValueError):
        return None


def entry_of(entry: bytes) -> tuple[str, Announcement] | None:
    """Return the id and the announcement of an entry; ``None`` if this build cannot read it."""
    announced = _announcement(entry[_ID_BYTES:])
    return None if announced is None else (entry[:_ID_BYTES].decode("ascii", "replace"), announced)


def figures_of(packed: bytes | None) -> ReplicaFigures | None:
    """Return stored figures; ``None`` without any that this build can read."""
    try:
        return None if packed is None else _decode_figures(packed)
    except (MsgspecError, ValueError):
        return None
