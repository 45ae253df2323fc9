"""Vouched players: their ids, and the one whose call the current task answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextvars import ContextVar
from hashlib import sha256

from msgspec import Struct

from skerry_service.access.identity.identity_errors import IdentityInvalid
from skerry_service.domain.limits import VOUCHED_PREFIX

_DIGITS = 40
_SUBJECT = re.compile(r"[!-~]{1,255}")


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


KEY_ISSUER = "key:"
"""The beginning of the name under which an API key vouches for its players. No other issuer begins with it."""


def player_of_key(key: str, sent: Sequence[str]) -> VouchedPlayer:
    """Return the player for whom the API key with this name acts. Raises IdentityInvalid.

    ``sent``: every player that the call names. Keys of one name have the same players, and no other key has them.
    """
    if len(sent) != 1 or not _SUBJECT.fullmatch(sent[0]):
        raise IdentityInvalid("malformed", "Name one player to act for, by 1 to 255 ASCII characters without spaces.")
    return VouchedPlayer(vouched_id(f"{KEY_ISSUER}{key}", sent[0]))


_current: ContextVar[VouchedPlayer | None] = ContextVar("vouched player of the call", default=None)


def enter_player(player: VouchedPlayer | None) -> None:
    """Set the vouched player of the call that the current task answers; ``None``: it has none."""
    _current.set(player)


def current_player() -> VouchedPlayer | None:
    """Return the vouched player of the current call; ``None`` without one, and outside of a call."""
    return _current.get()
