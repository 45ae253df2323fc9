"""The webhook endpoints of applications as values, and the events of a log that they receive.

An application stands for an API key. Its endpoints get two kinds of messages about a session: the conditions that hold
now (``webhook_events.webhook_messages``), and these events of the log, one after the other in the order of the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum

from msgspec import Struct
from msgspec.structs import replace

from skerry_service.domain.log import Batch, Created, Joined, Moved, Started
from skerry_service.domain.packed import Request
from skerry_service.domain.record import WebhookEvent
from skerry_service.domain.table import Table
from skerry_service.domain.tokens import HOST, may_view_game
from skerry_service.domain.webhook_events import Condition, WebhookMessage, WebhookTarget, message_to, secret_of

ROTATION_MS = 24 * 3_600_000
"""How long the previous secret of an endpoint still signs requests."""
FAILING_MS = 5 * 24 * 3_600_000
"""An endpoint whose attempts have all failed for this long is switched off."""
REMEMBERED_REQUESTS = 16
"""The latest requests of an endpoint whose repeats change nothing."""
MAX_RESEND_MS = 7 * 24 * 3_600_000
"""How far back events can be sent again."""
_ORDER = (WebhookEvent.CREATE, WebhookEvent.JOIN, WebhookEvent.START, WebhookEvent.MOVE, WebhookEvent.END)
"""The order of events that happen with the same entry."""
_PLACES = 8


class EndpointState(IntEnum):
    """Whether an endpoint gets events, and otherwise why not. The numbers are stored and equal those of the API."""

    ENABLED = 1
    GONE = 2
    FAILED = 3


class WebhookEndpoint(Struct, frozen=True, array_like=True):
    """An endpoint of an application, as stored."""

    url: str
    events: tuple[WebhookEvent, ...]
    salt: bytes
    """From which secrets and the ids of messages are derived. It never changes."""
    key: bytes
    """Input of the signing secret: the id of the request that made it."""
    created_ms: int
    """Milliseconds since the Unix epoch, as ``since_ms``."""
    since_ms: int
    """Entries that were stored earlier are not sent."""
    generation: int = 0
    """Increases when events are to be sent again."""
    state: EndpointState = EndpointState.ENABLED
    failing_since_ms: int | None = None
    """Store uptime of the first of the latest failures; ``None`` after a success."""
    previous_key: bytes = b""
    """The key before the last rotation."""
    previous_until_ms: int = 0
    """Store uptime until which ``previous_key`` signs too."""
    requests: tuple[Request, ...] = ()
    """The latest requests that set the endpoint, the newest one last."""
    added_ms: tuple[int, ...] = ()
    """For each of ``events``: from when its entries are sent, if later than ``since_ms``. Empty: never later."""
    failure: str = ""
    """Why a late attempt failed, in a few words. Empty after a success."""
    failure_ms: int = 0
    """Store uptime of the attempt that ``failure`` is about."""
    language: str = ""
    """The language tag of the sentences in its requests. Empty: English."""

    def since(self, event: WebhookEvent) -> int:
        """Return from when entries are sent as this event, in milliseconds since the Unix epoch."""
        added = dict(zip(self.events, self.added_ms, strict=False))
        return max(self.since_ms, added.get(event, 0))

    def cleared(self) -> WebhookEndpoint:
        """Return the endpoint without failures."""
        return replace(self, failing_since_ms=None, failure="", failure_ms=0)

    def secrets(self, uptime_ms: int) -> tuple[str, ...]:
        """Return the secrets that sign requests now, the present one first."""
        keys = [self.key, *([self.previous_key] if uptime_ms < self.previous_until_ms else [])]
        return tuple(secret_of(self.salt, key) for key in keys)


class NamedEndpoint(Struct, frozen=True):
    """An endpoint with its application and its id."""

    application: str
    id: str
    endpoint: WebhookEndpoint


def target_of(named: NamedEndpoint, uptime_ms: int) -> WebhookTarget:
    """Return the endpoint as a target of messages."""
    one = named.endpoint
    return WebhookTarget(
        slot=f"{named.application}/{named.id}",
        owner=None,
        url=one.url,
        events=one.events,
        identity=one.salt,
        secrets=one.secrets(uptime_ms),
        generation=one.generation,
        named=(named.application, named.id),
        language=one.language,
    )


def log_messages(
    table: Table, batches: Iterable[Batch], target: WebhookTarget, since: Callable[[WebhookEvent], int], after: int
) -> Iterator[WebhookMessage]:
    """Yield the messages about events of the log for an endpoint, in their order.

    ``since``: returns, for an event, from when batches are sent; ``after``: the position after which to begin.
    """
    shown = may_view_game(table.record, HOST)
    for batch in batches:
        found = list(_conditions(batch))
        if table.record.over and batch.last == table.sequence:
            found.append(Condition(WebhookEvent.END, None, table.sequence))
        for position, condition in sorted([(_position(one), one) for one in found], key=lambda pair: pair[0]):
            hidden = condition.event is WebhookEvent.MOVE and not shown
            wanted = condition.event in target.events and batch.time_ms >= since(condition.event)
            if position > after and wanted and not hidden:
                yield message_to(table.record, target, condition, batch.time_ms, position)


def _position(condition: Condition) -> int:
    return condition.sequence * _PLACES + _ORDER.index(condition.event)


def last_position(sequence: int) -> int:
    """Return the position behind which only events of later entries come."""
    return sequence * _PLACES + _PLACES - 1


def entries_before(position: int) -> int:
    """Return the last entry all of whose events have a position of at most this one."""
    return max(0, position // _PLACES - 1)


def _conditions(batch: Batch) -> Sequence[Condition]:
    found: list[Condition] = []
    moved: list[tuple[int, int]] = []
    for sequence, entry in enumerate(batch.entries, batch.first):
        match entry:
            case Created():
                found.append(Condition(WebhookEvent.CREATE, None, sequence))
            case Joined():
                found.append(Condition(WebhookEvent.JOIN, entry.seat, sequence))
            case Started():
                found.append(Condition(WebhookEvent.START, None, sequence))
            case Moved():
                moved.append((sequence, entry.actor))
    if movers := [actor for _, actor in moved if actor >= 0]:
        found.append(Condition(WebhookEvent.MOVE, movers[0], moved[-1][0]))
    return found
