"""Webhooks as values: the receivers that a URL may name, the signing secret, and the messages that a table calls for.

The messages follow from the table alone, not from its history. The server sends no message for a condition that no
longer holds, such as a turn that is over. So each webhook has at most one current message for each seat and event, and
the delivery index stores only the progress of that one.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from functools import lru_cache
from hashlib import blake2b
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from skerry_service.domain.errors import InvalidField
from skerry_service.domain.languages.phrases import phrase
from skerry_service.domain.log import pack
from skerry_service.domain.record import Occupant, Phase, Record, WebhookEvent
from skerry_service.domain.table import Table
from skerry_service.domain.tokens import HOST, may_view_game

MAX_URL_LENGTH = 512
MAX_LEAD_MS = 3_600_000
"""Upper bound of the time between a deadline message and the deadline. The message is sent when a quarter is left."""
MIN_LEAD_MS = 5_000
"""With less time than this, a seat gets no deadline message."""
DELIVERY_WINDOW_MS = 2 * 3_600_000
"""Time from the end of a session to the last delivery attempt. The store keeps the session at least this long."""
_URL = re.compile(r"[!-~]+")
_HOST = re.compile(r"[a-z0-9.-]+|\[[0-9a-f:.]+\]")
_PORTS = {"http": 80, "https": 443}
_SECRET = "whsec_"

ReceiverCheck = Callable[[str, int], bool]
"""Returns whether the operator allows webhooks to a host and port."""


class Receiver(Struct, frozen=True):
    """The receiver of a webhook, parsed from its URL."""

    scheme: str
    host: str
    """In lower case; an IPv6 address without brackets."""
    port: int
    target: str
    """Path and query."""
    authority: str
    """Host and port as written in the URL, in lower case."""


class Condition(Struct, frozen=True):
    """A state of the table that a webhook reports, for example: seat 2 is to act since entry 40."""

    event: WebhookEvent
    seat: int | None
    """``None`` for the end of the session."""
    sequence: int
    """The entry since which the seat owes its decision; at the end, the last entry."""
    deadline_ms: int | None = None
    variant: int = 0
    """Distinguishes conditions of one event that belong to the same decision: nudges, changed deadlines."""
    due_ms: int = 0
    """Store uptime from which the message may be sent."""
    rematch: str = ""
    """Of a rematch: the id of its session."""


class WebhookTarget(Struct, frozen=True):
    """A receiver of messages about a session: a webhook of a seat or of the host, or an endpoint of an application."""

    slot: str
    """Key of its delivery states in the session."""
    owner: int | None
    """The seat; ``None``: a target with the rights of the host."""
    url: str
    events: tuple[WebhookEvent, ...]
    identity: bytes
    """Distinguishes it from other targets in the ids of messages."""
    secrets: tuple[str, ...]
    """The secrets that sign its requests."""
    generation: int = 0
    """Increases when messages are to be sent again."""
    named: tuple[str, str] | None = None
    """The application and the id of an endpoint."""
    language: str = ""
    """The language tag of the sentences in its requests. Empty: English."""


class WebhookMessage(Struct, frozen=True):
    """A message that one target is to receive."""

    id: str
    """The same on every replica and in every attempt, so that receivers can drop repeats."""
    slot: str
    """Key of its delivery state: one for each target, seat and event, and one for the log. Only the newest message of
    a slot is sent, in that of the log one after the other."""
    target: WebhookTarget
    condition: Condition
    time_ms: int | None = None
    """When the event happened, in ms since the Unix epoch; ``None``: it is a condition that holds now."""
    position: int = -1
    """Of an event of the log: its position in the order of these events."""


@lru_cache(maxsize=1024)
def receiver_of(url: str) -> Receiver:
    """Parse the URL of a webhook. Raises InvalidField."""
    if len(url) > MAX_URL_LENGTH or not _URL.fullmatch(url):
        raise InvalidField("url", phrase("field-url", most=MAX_URL_LENGTH))
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise InvalidField("url", "This is not a valid URL. Send one like https://example.org/hook.") from None
    host = parts.hostname or ""
    if parts.scheme not in _PORTS or not _is_plain(parts) or port == 0:
        raise InvalidField("url", "Send a URL like https://example.org/hook, without user, password or fragment.")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Receiver(parts.scheme, host, port or _PORTS[parts.scheme], target, parts.netloc.lower())


def _is_plain(parts: SplitResult) -> bool:
    """Return whether the URL has a plain host, and neither user information nor a fragment."""
    host, _, port = parts.netloc.lower().rpartition(":")
    named = host if host and port.isdecimal() else parts.netloc.lower()
    return _HOST.fullmatch(named) is not None and not parts.fragment


def secret_of(salt: bytes, key: bytes) -> str:
    """Return the secret that signs requests. It is derived from a salt, as tokens are.

    ``salt``: of the session, or of the endpoint.
    """
    derived = blake2b(key, digest_size=32, key=salt, person=b"webhook secret").digest()
    return _SECRET + b64encode(derived).decode()


def targets_in(record: Record) -> Iterator[WebhookTarget]:
    """Yield the webhooks of the host and of the seats as targets."""
    owners = ((None, record.webhook), *((seat, one.webhook) for seat, one in enumerate(record.seats)))
    for owner, webhook in owners:
        if webhook is not None:
            slot, secrets = "h" if owner is None else str(owner), (secret_of(record.salt, webhook.key),)
            yield WebhookTarget(slot, owner, webhook.url, webhook.events, webhook.key, secrets)


def webhook_messages(table: Table, target: WebhookTarget, rematch: str | None = None) -> Iterator[WebhookMessage]:
    """Yield the messages that the table calls for now, whether or not they have been delivered.

    ``rematch``: the id of the session's rematch, if it exists.
    """
    for condition in _conditions_for(table, target, rematch):
        if condition.event in target.events:
            yield message_to(table.record, target, condition)


def message_to(
    record: Record, target: WebhookTarget, condition: Condition, time_ms: int | None = None, position: int = -1
) -> WebhookMessage:
    """Return the message about a condition. ``time_ms`` and ``position``: see ``WebhookMessage``."""
    event, seat = condition.event, condition.seat
    identity = pack((record.id, target.identity, event, seat, condition.sequence, condition.variant))
    hashed = blake2b(identity, digest_size=12, key=record.salt, person=b"skerry webhook").hexdigest()
    slot = f"{target.slot}.log" if time_ms is not None else f"{target.slot}.{seat}.{int(event)}"
    return WebhookMessage(f"msg_{hashed}", slot, target, condition, time_ms, position)


def _conditions_for(table: Table, target: WebhookTarget, rematch: str | None) -> Iterator[Condition]:
    """Yield the conditions that the owner of a target may know. The end of a session is in the log of endpoints."""
    record = table.record
    if record.over:
        if target.named is None:
            yield Condition(WebhookEvent.END, None, table.sequence)
        if rematch:
            yield Condition(WebhookEvent.REMATCH, None, table.sequence, rematch=rematch)
    elif record.phase is Phase.PLAYING:
        for seat in table.to_act:
            may_know = target.owner == seat or (target.owner is None and may_view_game(record, HOST))
            if may_know and record.seats[seat].occupant is Occupant.PLAYER:
                yield from _turn_conditions(table, seat)


def _turn_conditions(table: Table, seat: int) -> Iterator[Condition]:
    since, nudged = table.open_since[seat], table.record.seats[seat].nudged
    deadline = table.clocks[seat].deadline_ms if table.clocks else None
    yield Condition(WebhookEvent.TURN, seat, since, deadline)
    if nudged is not None and nudged.since == since:
        yield Condition(WebhookEvent.NUDGE, seat, since, deadline, nudged.owed_ms)
    if deadline is not None and (lead := _lead_ms(table, seat)):
        yield Condition(WebhookEvent.DEADLINE, seat, since, deadline, deadline, deadline - lead)


def _lead_ms(table: Table, seat: int) -> int:
    """Return how long before the deadline the deadline message is due, in ms; 0 if the seat gets none."""
    clock = table.clocks[seat]
    lead = min(MAX_LEAD_MS, (clock.left_ms + clock.grace_ms) // 4)
    return lead if lead >= MIN_LEAD_MS else 0
