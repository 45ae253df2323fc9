"""The share of a caller: a small number that stands for its API key or address where work is divided fairly.

Sessions and tournaments store the share of their creator, so it must not identify a person: about 65,000 addresses
have the same one.
"""

from __future__ import annotations

from contextvars import ContextVar
from hashlib import blake2b

SHARES = 1 << 16
NO_SHARE = 0
"""Stands for a caller that is not known."""
_current: ContextVar[int] = ContextVar("caller's share", default=NO_SHARE)


def share_of(identity: str) -> int:
    """Return the share of an identity: from 1 to ``SHARES - 1``, equal in every process."""
    hashed = blake2b(identity.encode(), digest_size=8, person=b"skerry share").digest()
    return 1 + int.from_bytes(hashed, "big") % (SHARES - 1)


def enter_share(identity: str) -> None:
    """Set the share of the caller whose call the current task answers."""
    _current.set(share_of(identity))


def current_share() -> int:
    """Return the share of the current call's caller; ``NO_SHARE`` outside of a call."""
    return _current.get()
