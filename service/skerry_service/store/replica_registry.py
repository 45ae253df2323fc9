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


def _announcement(packed: bytes) -> Announcement | None:
    try:
        return _decode(packed)
    except (MsgspecError, ValueError):
        return None
