"""A ban: who is banned, why, by whom and until when."""

from __future__ import annotations

from enum import Enum
from hashlib import sha256

from msgspec import Struct

MOST_BANS = 10_000
"""Bans of a server. Each replica has all of them in its memory."""
LONGEST_BAN_SECONDS = 366 * 86_400
LONGEST_REASON = 200
"""Characters."""
_DIGITS = 20


class BannedKind(Enum):
    """What a ban is about. The value is stored, and is part of errors."""

    ADDRESS = "address"
    """An address or a network."""
    KEY = "key"
    """All API keys of a name."""
    PLAYER = "player"
    """A player, vouched or not, by id."""


class BanSubject(Struct, frozen=True):
    """Who is banned."""

    kind: BannedKind
    text: str
    """The network, the name of the key or the id of the player, in its one form."""

    @property
    def ban_id(self) -> str:
        """The id of a ban of this subject. It does not show the subject."""
        return sha256(f"{self.kind.value} {self.text}".encode()).hexdigest()[:_DIGITS]


class Ban(Struct, frozen=True):
    """A ban, as it is stored."""

    subject: BanSubject
    reason: str
    """The operator's words. The caller receives them."""
    seconds: int
    """For how long the operator has banned the subject."""
    ends_ms: int
    """The store uptime at which the ban ends."""
    created_ms: int
    """The wall clock at its creation, in ms since 1970."""
    operator: str
    """The name of the operator's API key, or the operator's address."""
