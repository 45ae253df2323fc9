"""The port of the matchmaker to the store: messages between replicas, the lease of the matcher, and decided matches.

The queues of a game live in the memory of one replica, its *matcher*, which holds a lease. Replicas send their tickets
to the matcher, and the matcher sends news back, through two short streams in the store. What must survive a crash is in
the store alone: *claims*, each with the session in which a ticket gets its seat, and agreed matches without a session.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

LEASE_MS = 6_000
"""Time after which a silent matcher is replaced, and the tickets of a silent replica leave the queues."""
CLAIM_MS = 600_000
"""Lifetime of a claim: for as long, a retry of FindMatch returns the same seat."""
TO_MATCHER, TO_REPLICAS = b"m", b"r"
"""What a listener of a game receives: that messages for the matcher have arrived, or news for the replicas."""


class Exchange(Struct, frozen=True):
    """What a replica sends and asks."""

    replica: str
    now_ms: int
    """The store's uptime."""
    new_term: bytes
    """If the lease of the matcher has ended, the replica becomes the matcher, with this term. Empty: it does not."""
    after: bytes
    """The id of the last news that the replica has; empty before the first."""
    message: bytes
    """For the matcher; empty for none."""
    tickets: Sequence[bytes] = ()
    """Ids of tickets whose claims are wanted."""


class Received(Struct, frozen=True):
    """The response to an exchange."""

    term: bytes
    """The term of the present matcher."""
    leads: bool
    """Whether the replica is the matcher."""
    last: bytes
    """The id of the last news."""
    news: Sequence[bytes]
    claims: Sequence[bytes | None]
    """The claim of each ticket that was asked for."""


class Collected(Struct, frozen=True):
    """What a matcher finds at the beginning of a round."""

    last: bytes
    """The id of the last message."""
    messages: Sequence[bytes]
    agreed: Sequence[bytes] = ()
    """Agreed matches without a session, if asked for."""
    no_shows: Mapping[bytes, int] = {}
    """For each caller with no-shows, the number that ``publish`` stored, if asked for."""


class AgreedMatch(Struct, frozen=True):
    """A match that all members have confirmed, as it is stored until its session exists."""

    packed: bytes
    claims: Sequence[tuple[bytes, bytes]]
    """For each ticket, its id and its claim."""


class RoundWrite(Struct, frozen=True):
    """All changes of a round."""

    news: Mapping[str, bytes]
    """For each replica."""
    agreed: Sequence[AgreedMatch] = ()
    finished: Sequence[bytes] = ()
    """Agreed matches whose sessions exist, as they were stored."""
    no_shows: Mapping[bytes, int] = {}
    """For each caller, a number to store. Numbers are ordered by time, so that old ones can be removed."""
    forget_no_shows: int = 0
    """The number below which stored numbers are removed."""


class MatchStore(Protocol):
    """The matchmaker's part of the store. ``game``: a word without braces. Raises StoreUnavailable, StoreFull.

    A call may run twice if its reply is lost; each gives the same result then.
    """

    async def exchange(self, game: str, exchange: Exchange) -> Received:
        """Send a message to the matcher of a game, and read news. Take the lease of the matcher if it has ended."""

    async def collect(
        self, game: str, term: bytes, now_ms: int, after: bytes, *, everything: bool = False
    ) -> Collected | None:
        """Renew the matcher's lease and read the messages after ``after``; empty: those no matcher has handled.

        ``everything``: also read what an earlier matcher left behind. Return ``None`` if another replica leads.
        """

    async def publish(self, game: str, term: bytes, write: RoundWrite) -> Sequence[tuple[int, int]] | None:
        """Write all changes of a round at once. Return ``None``, with nothing written, if another replica leads.

        An agreed match is not stored if one of its tickets has another claim by now. For each such ticket, return the
        number of the match and of the ticket, from 0.
        """

    async def resign(self, game: str, term: bytes) -> None:
        """End the lease of that term."""

    async def claim(self, game: str, ticket: bytes, claim: bytes) -> bytes | None:
        """Store the claim of a ticket unless it has one. Return the claim that it had."""

    async def release(self, game: str, ticket: bytes, claim: bytes) -> None:
        """Remove the claim of a ticket if it is that one."""

    async def find_claim(self, game: str, ticket: bytes) -> bytes | None:
        """Return the claim of a ticket."""

    async def agreed(self, game: str) -> Sequence[bytes]:
        """Return all agreed matches without a session."""

    async def forget(self, game: str, text: bytes, callers: Sequence[bytes]) -> tuple[int, int]:
        """Remove the no-shows of callers, and the messages if the matcher has handled all of them.

        Return the number of no-shows removed, and the number of messages and agreed matches that have the text.
        """

    def channel(self, game: str) -> str:
        """Return the name under which ``Store.listen`` reports messages and news of a game."""
