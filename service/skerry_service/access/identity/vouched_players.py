"""Vouched players: their ids, and the one whose call the current task answers."""

from __future__ import annotations

from contextvars import ContextVar
from hashlib import sha256

from msgspec import Struct

from skerry_service.access.identity.identity_errors import IdentityMissing

VOUCHED_PREFIX = "vouched_"
"""The beginning of the ids of vouched players. An id in a request must not begin with it."""
_DIGITS = 40


class VouchedPlayer(Struct, frozen=True):
    """A player for whom an issuer vouches."""

    player_id: str
    """See ``vouched_id``."""
    name: str = ""
    """The display name that the issuer states; empty without one."""


def vouched_id(issuer: str, subject: str) -> str:
    """Return the id of the player that an issuer knows as ``subject``.

    It is ``vouched_`` and the first 40 hexadecimal digits of the SHA-256 of issuer, line feed and subject, in UTF-8.
    So seats do not show the subject, which may be an address. No issuer contains a line feed.
    """
    hashed = sha256(f"{issuer}\n{subject}".encode()).hexdigest()
    return f"{VOUCHED_PREFIX}{hashed[:_DIGITS]}"


_current: ContextVar[VouchedPlayer | None] = ContextVar("vouched player of the call", default=None)


def enter_player(player: VouchedPlayer | None) -> None:
    """Set the vouched player of the call that the current task answers; ``None``: it has none."""
    _current.set(player)


def current_player() -> VouchedPlayer | None:
    """Return the vouched player of the current call; ``None`` without one, and outside of a call."""
    return _current.get()


def require_player() -> VouchedPlayer:
    """Return the vouched player of the current call. Raises IdentityMissing."""
    player = _current.get()
    if player is None:
        raise IdentityMissing
    return player
