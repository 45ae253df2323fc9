"""Tickets, proposals, and the messages about them between replicas and the matcher."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from hashlib import blake2b
from typing import TypeVar

from msgspec import Struct, msgpack

from skerry_service.domain.tokens import Role, new_token
from skerry_service.matching.criteria import Criteria, TableSetting
from skerry_service.sessions.loader import report_damaged_entry

T = TypeVar("T")

CONFIRM_MS = 10_000
"""Time to confirm a proposal."""


class TicketPlayer(Struct, frozen=True, array_like=True):
    """A player for whom a ticket wants a seat."""

    name: str
    player_id: str
    token: bytes
    """The digest of the seat token."""


class Ticket(Struct, frozen=True, array_like=True):
    """A ticket as the matcher knows it."""

    id: bytes
    """A hash of the ticket that the client knows, so that the store does not reveal it."""
    request: bytes
    """A hash of the request, to recognise a retry."""
    since: int
    """The store uptime in ms at which the ticket arrived."""
    criteria: Criteria
    players: tuple[TicketPlayer, ...]
    """They sit at one table."""
    callers: tuple[bytes, ...] = ()
    """Hashes of the address, the API key and the player ids behind the ticket."""
    share: int = 0
    """The share of the call (``access.caller_shares``); 0: not known."""
    application: str = ""
    """The name of the API key of the call; empty without one."""


class Proposal(Struct):
    """A match that its members have to confirm."""

    id: bytes
    setting: TableSetting
    members: tuple[bytes, ...]
    """Ticket ids."""
    until: int
    """The store uptime in ms until which it can be confirmed."""
    confirmed: set[bytes]
    """The members that have confirmed."""


class Agreement(Struct, frozen=True, array_like=True):
    """A match that all members have confirmed. The session follows from it, so any replica can create it, once."""

    setting: TableSetting
    seats: tuple[TicketPlayer, ...]
    """The players, by seat."""
    creation: bytes
    """The request id of the session."""
    salt: bytes
    """The salt of the session."""
    share: int = 0
    """See ``Record.share``: that of the first ticket."""
    applications: tuple[str, ...] = ()
    """See ``Record.applications``: those of all tickets."""
    cell: str = ""
    """The cell of the session's id; empty in an installation without one."""


class Claim(Struct, frozen=True, array_like=True):
    """The session in which a ticket has its seat, or is about to get it."""

    request: bytes
    """See ``Ticket.request``."""
    session: str


class Message(Struct, frozen=True, array_like=True):
    """What a replica sends to the matcher: changes of its tickets."""

    replica: str
    number: int
    """Increases by one with each message of the replica."""
    sent: int
    """The store uptime in ms."""
    restart: bool = False
    """Whether ``added`` lists all tickets of the replica."""
    added: tuple[Ticket, ...] = ()
    withdrawn: tuple[bytes, ...] = ()
    """Tickets whose streams have closed."""
    seated: tuple[bytes, ...] = ()
    """Tickets that have got a seat at an open table."""
    confirmed: tuple[tuple[bytes, bytes], ...] = ()
    """Tickets, each with the proposal that its client confirms."""


class NewsKind(IntEnum):
    """What has happened to a ticket."""

    PROPOSED = 0
    """It has a proposal: the detail."""
    DISSOLVED = 1
    """Its proposal has expired, and it waits again."""
    MISSED = 2
    """It did not confirm its proposal in time, and has left the queues."""
    REUSED = 3
    """Another request has the same ticket."""
    CONFIRMED = 4
    """The confirmation of the proposal in the detail counts."""
    REFUSED = 5
    """The confirmation of the proposal in the detail came too late."""
    SEATED = 6
    """It has a claim, and the session exists."""


class NewsItem(Struct, frozen=True, array_like=True):
    """News of one ticket."""

    ticket: bytes
    kind: NewsKind
    detail: bytes = b""
    setting: TableSetting | None = None
    """What a proposed match plays."""


class WaitingNews(Struct, frozen=True, array_like=True):
    """How a ticket waits."""

    ticket: bytes
    others: int
    """Other players in that of its queues which has most."""
    held_ms: int = 0
    """Time until the ticket enters its queues, because one of its callers did not confirm a proposal."""


class News(Struct, frozen=True, array_like=True):
    """What the matcher sends to a replica."""

    term: bytes
    number: int
    """Increases by one with each news of the term for the replica."""
    answers: int = 0
    """If not 0, the number of the message with ``restart`` that this is the first news after."""
    restart: bool = False
    """Whether the matcher asks the replica to send all its tickets."""
    items: tuple[NewsItem, ...] = ()
    waiting: tuple[WaitingNews, ...] = ()


def ticket_id(ticket: bytes) -> bytes:
    """Return the id of the ticket that a client knows."""
    return blake2b(ticket, digest_size=12, person=b"skerry ticket").digest()


def ticket_token(ticket: bytes, player: int) -> str:
    """Return the seat token of a ticket's player, numbered from 0. It follows from the ticket alone."""
    return new_token(Role.SEAT, ticket_id(ticket), ticket + bytes([player]))


def _reader(kind: type[T]) -> Callable[[bytes], T | None]:
    """Return a function that decodes a stored value, and returns ``None`` if it is damaged, which is logged once."""
    decode = msgpack.Decoder(kind).decode

    def read(packed: bytes) -> T | None:
        try:
            return decode(packed)
        except (ValueError, RecursionError):
            report_damaged_entry(f"matchmaking ({kind.__name__})", packed)
            return None

    return read


read_message = _reader(Message)
read_news = _reader(News)
read_claim = _reader(Claim)
read_agreement = _reader(Agreement)
