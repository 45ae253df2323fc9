"""Webhooks as values: where one may lead, its secret, and what it is to be told of as a table stands.

What is told follows from the table alone, and not from what has happened to it: whose turn is over by the time at which
it could be told is not told of it any more. So there is at most one thing of a kind to tell of a seat, whatever happens
in the meantime, and nothing has to be kept but how far each has come.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from hashlib import blake2b
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from skerry_service.domain.errors import InvalidField
from skerry_service.domain.log import pack
from skerry_service.domain.record import Happening, Hook, Occupant, Phase, Record
from skerry_service.domain.table import Table
from skerry_service.domain.tokens import HOST, may_look_on

LONGEST_URL = 512
MOST_LEAD_MS = 3_600_000
"""How long before its deadline a seat is warned at most; of a shorter time a quarter."""
LEAST_LEAD_MS = 5_000
LATEST_MS = 2 * 3_600_000
"""By then all attempts have been made to tell that a session is over: so long it stays at the least."""
_URL = re.compile(r"[!-~]+")
_HOST = re.compile(r"[a-z0-9.-]+|\[[0-9a-f:.]+\]")
_PORTS = {"http": 80, "https": 443}
_SECRET = "whsec_"

Allows = Callable[[str, int], bool]
"""Whether the operator has allowed that host and port."""


class Receiver(Struct, frozen=True):
    """Where a webhook leads."""

    scheme: str
    host: str
    """In small letters; an IPv6 address without its brackets."""
    port: int
    target: str
    """Path and query."""
    authority: str
    """Host and port as the URL has them."""


class What(Struct, frozen=True):
    """Something that there is to tell."""

    happening: Happening
    seat: int | None
    sequence: int
    deadline_ms: int | None = None
    which: int = 0
    """Tells those of one kind apart that belong to one decision."""
    due_ms: int = 0
    """The age of the store at which to tell it."""


class Event(Struct, frozen=True):
    """Something that one webhook is to be told of."""

    id: str
    """The same to all who find it."""
    place: str
    """Of all things at one place only the newest matters: one for each webhook, seat and kind."""
    hook: Hook
    what: What


def receiver_of(url: str) -> Receiver:
    """Take an address apart. Raises InvalidField."""
    if len(url) > LONGEST_URL or not _URL.fullmatch(url):
        raise InvalidField("url", f"An address has up to {LONGEST_URL} ASCII characters, none of them a space.")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise InvalidField("url", "This is no URL.") from None
    host = parts.hostname or ""
    if parts.scheme not in _PORTS or not _is_plain(parts) or port == 0:
        raise InvalidField("url", "Send a URL of the web with a host, and without user, password and fragment.")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Receiver(parts.scheme, host, port or _PORTS[parts.scheme], target, parts.netloc.lower())


def _is_plain(parts: SplitResult) -> bool:
    host, _, port = parts.netloc.lower().rpartition(":")
    named = host if host and port.isdecimal() else parts.netloc.lower()
    return _HOST.fullmatch(named) is not None and not parts.fragment


def secret_of(record: Record, hook: Hook) -> str:
    """Return what a webhook's requests are signed with. It is derived, as tokens are."""
    derived = blake2b(hook.key, digest_size=32, key=record.salt, person=b"webhook secret").digest()
    return _SECRET + b64encode(derived).decode()


def events_of(table: Table) -> Iterator[Event]:
    """Yield all that webhooks are told of as the table stands, whether or not that was done."""
    record = table.record
    hooks = [(seat, one.hook) for seat, one in enumerate(record.seats)]
    for owner, hook in ((None, record.hook), *hooks):
        if hook is not None:
            yield from [
                _event(record, owner, hook, one) for one in _told(table, owner) if one.happening in hook.happenings
            ]


def _event(record: Record, owner: int | None, hook: Hook, what: What) -> Event:
    known = pack((record.id, hook.key, what.happening, what.seat, what.sequence, what.which))
    hashed = blake2b(known, digest_size=12, key=record.salt, person=b"skerry webhook").hexdigest()
    place = f"{'h' if owner is None else owner}.{what.seat}.{int(what.happening)}"
    return Event(f"msg_{hashed}", place, hook, what)


def _told(table: Table, owner: int | None) -> Iterator[What]:
    """Yield what the owner of a seat is told, or the host."""
    record = table.record
    if record.over:
        yield What(Happening.END, None, table.sequence)
    elif record.phase is Phase.PLAYING:
        for seat in table.to_act:
            is_told = owner == seat or (owner is None and may_look_on(record, HOST))
            if is_told and record.seats[seat].occupant is Occupant.PLAYER:
                yield from _of_turn(table, seat)


def _of_turn(table: Table, seat: int) -> Iterator[What]:
    since, nudged = table.open_since[seat], table.record.seats[seat].nudged
    deadline = table.clocks[seat].deadline_ms if table.clocks else None
    yield What(Happening.TURN, seat, since, deadline)
    if nudged is not None and nudged.since == since:
        yield What(Happening.NUDGE, seat, since, deadline, nudged.owed_ms)
    if deadline is not None and (lead := _lead_ms(table, seat)):
        yield What(Happening.DEADLINE, seat, since, deadline, deadline, deadline - lead)


def _lead_ms(table: Table, seat: int) -> int:
    """Return how long before its deadline the seat is warned; 0: it is not."""
    clock = table.clocks[seat]
    lead = min(MOST_LEAD_MS, (clock.left_ms + clock.grace_ms) // 4)
    return lead if lead >= LEAST_LEAD_MS else 0
