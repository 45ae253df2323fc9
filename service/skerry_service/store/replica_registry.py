"""The live replicas of a store, and what each supports. Every third tick of the store clock announces its replica."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from secrets import token_hex

from msgspec import MsgspecError, Struct, msgpack

_ID_BYTES = 16
"""Bytes of the id of a replica. Another process is another replica."""


class Announcement(Struct, frozen=True, array_like=True):
    """What a replica supports."""

    build: str
    """Its version."""
    format: int
    """The store format that it uses."""
    rulesets: Mapping[str, tuple[str, ...]]
    """The rulesets that it supports, by game."""


class ReplicaRegistry:
    """What this replica announces, and what it knows of the others from its last tick."""

    def __init__(self) -> None:
        self._id = token_hex(_ID_BYTES // 2).encode()
        self.own: Announcement | None = None
        """``None``: a tool that serves nothing, or a replica that has stopped."""
        self.others: Sequence[Announcement] = ()

    def entry(self) -> bytes:
        """Return the entry of this replica: its id and its announcement; empty if it announces nothing."""
        return b"" if self.own is None else self._id + msgpack.encode(self.own)

    def learn(self, live: Sequence[bytes]) -> None:
        """Take over the entries of all live replicas. Those that this build cannot read do not count."""
        announced = [_announcement(entry[_ID_BYTES:]) for entry in live if entry[:_ID_BYTES] != self._id]
        self.others = [one for one in announced if one is not None]

    def rulesets(self) -> Collection[Mapping[str, Collection[str]]]:
        """Return what each other live replica supports."""
        return [one.rulesets for one in self.others]


_decode = msgpack.Decoder(Announcement).decode


def _announcement(packed: bytes) -> Announcement | None:
    try:
        return _decode(packed)
    except (MsgspecError, ValueError):
        return None
