"""The webhook endpoints of applications. Each replica keeps a copy of all, and reads it again while sessions change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from secrets import token_bytes
from time import monotonic
from typing import Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from skerry_service.domain.endpoints.webhook_endpoints import (
    FAILING_MS,
    MAX_RESEND_MS,
    REMEMBERED_REQUESTS,
    ROTATION_MS,
    EndpointState,
    NamedEndpoint,
    WebhookEndpoint,
)
from skerry_service.domain.errors import (
    ApiKeyMissing,
    InvalidField,
    LimitReached,
    NotAllowed,
    RequestIdReused,
    SkerryError,
    StoreUnavailable,
    WebhookEndpointNotFound,
)
from skerry_service.domain.languages.phrases import grouped, phrase
from skerry_service.domain.log import pack
from skerry_service.domain.packed import Request
from skerry_service.domain.record import WebhookEvent, unpack_record
from skerry_service.domain.webhook_events import ReceiverCheck, receiver_of, secret_of
from skerry_service.sessions.request_identity import identify, new_request_id
from skerry_service.sessions.resources.field_values import reader_of
from skerry_service.sessions.resources.resource_port import FieldChange
from skerry_service.sessions.store_port import Store, Summary

ENDPOINTS_OF_KEY = 10
"""Endpoints of one API key."""
MOST_ENDPOINTS = 1_000
"""Endpoints of a server."""
FRESH_SECONDS = 5.0
"""Age of a copy of the endpoints after which it is read again."""
_RESOURCE, _PART = "webhooks", "endpoints"
_ATTEMPTS, _PAGE = 8, 200
_NEWS_MS = 60_000
"""How often, at most, another failure of an endpoint that fails is stored."""
_read = reader_of(WebhookEndpoint)
Changed = TypeVar("Changed", bound=WebhookEndpoint | None)


class PingResult(Struct, frozen=True):
    """The response to a ping."""

    status: int | None
    """The HTTP status; ``None``: the receiver did not respond."""
    failure: str = ""
    """Why there is no response."""


class Pinger(Protocol):
    """Sends a ping. See ``WebhookDispatcher.ping``."""

    async def __call__(self, named: NamedEndpoint) -> PingResult:
        """Return the response. Raises LimitReached."""


class WebhookEndpoints:
    """The endpoints of all applications."""

    def __init__(self, store: Store, allows: ReceiverCheck | None, clock_ms: Callable[[], int]) -> None:
        """``allows``: the receivers that the operator allows; ``None`` disables webhooks. ``clock_ms``: wall clock."""
        self._store = store
        self._allows = allows
        self._clock_ms = clock_ms
        self._known: Mapping[str, Mapping[str, WebhookEndpoint]] = {}
        self._read_at: float | None = None
        self._reading: asyncio.Task[None] | None = None
        self._changing = asyncio.Lock()
        """Calls of this replica change endpoints one after the other, so that many at once do not conflict."""
        self.pinger: Pinger | None = None
        """Sends pings; ``None``: this replica has no dispatcher."""

    # ------------------------------------------------------------ the copy of this replica

    async def concern(self, applications: Iterable[str]) -> bool:
        """Return whether one of the applications has an endpoint that is on. Costs no round trip, except the first."""
        if self._allows is None or not applications:
            return False
        if self._read_at is None:
            await self._read_again()
        elif monotonic() - self._read_at > FRESH_SECONDS and self._reading is None:
            self._reading = asyncio.get_running_loop().create_task(self._read_soon())
        return bool(self.on(applications))

    async def current(self, applications: Iterable[str]) -> Sequence[NamedEndpoint]:
        """Return the endpoints of applications that are on, from a copy that is fresh."""
        if self._allows is None or not applications:
            return ()
        if self._read_at is None or monotonic() - self._read_at > FRESH_SECONDS:
            await self._read_again()
        return self.on(applications)

    def on(self, applications: Iterable[str]) -> Sequence[NamedEndpoint]:
        """Return the endpoints of applications that are on, as far as this replica knows."""
        return [
            NamedEndpoint(application, one, endpoint)
            for application in applications
            for one, endpoint in self._known.get(application, {}).items()
            if endpoint.state is EndpointState.ENABLED
        ]

    async def _read_soon(self) -> None:
        try:
            with suppress(SkerryError):  # the next commit tries again
                await self._read_again()
        finally:
            self._reading = None

    async def _read_again(self) -> None:
        fields = await self._store.resources.read_all(_RESOURCE, _PART)
        known: dict[str, dict[str, WebhookEndpoint]] = {}
        for field, packed in sorted(fields.items()):
            application, _, one = field.decode().partition("/")
            if (endpoint := _read(packed)) is not None:
                known.setdefault(application, {})[one] = endpoint
        self._known, self._read_at = known, monotonic()

    async def close(self) -> None:
        """End the reading in progress."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait([self._reading])

    # ------------------------------------------------------------ calls

    async def set(
        self,
        application: str,
        one: str,
        url: str,
        events: tuple[WebhookEvent, ...],
        request_id: bytes | None,
        *,
        rotate: bool = False,
        language: str = "",
    ) -> tuple[WebhookEndpoint, str | None]:
        """Set an endpoint and switch it on. Return it, and the secret if the call made one.

        ``rotate``: whether to make a new secret for an endpoint that exists. ``language``: a language tag; empty:
        English. A repeat changes nothing, and returns the same secret while it is in use.
        Raises ApiKeyMissing, NotAllowed, InvalidField, LimitReached, RequestIdReused.
        """
        self._require_key(application)
        self._require_allowed(url)
        key = request_id or new_request_id()
        named = (language,) if language else ()  # requests without it keep the identity that earlier versions stored
        request = identify(key, f"key {application}", one, url, events, rotate, *named)

        def decide(before: WebhookEndpoint | None, uptime_ms: int) -> WebhookEndpoint:
            now = self._clock_ms()
            if before is None:
                made = WebhookEndpoint(url, events, token_bytes(16), key, created_ms=now, since_ms=now)
                return replace(made, requests=(request,), language=language)
            if _is_repeat(before, request):
                return before
            since = before.since_ms if before.state is EndpointState.ENABLED else now
            after = replace(before.cleared(), url=url, events=events, since_ms=since, state=EndpointState.ENABLED)
            after = replace(after, language=language)
            if events != before.events:  # otherwise the next move would bring all earlier ones of an added event
                added = tuple([before.since(one) if one in before.events else now for one in events])
                after = replace(after, added_ms=added)
            if rotate:
                after = replace(after, key=key, previous_key=before.key, previous_until_ms=uptime_ms + ROTATION_MS)
            return replace(after, requests=_with(before, request))

        after = await self._change(application, one, decide)
        return after, secret_of(after.salt, key) if key in (after.key, after.previous_key) else None

    async def get(self, application: str, one: str) -> WebhookEndpoint:
        """Return an endpoint. Raises ApiKeyMissing, WebhookEndpointNotFound."""
        self._require_key(application)
        (packed,) = await self._store.resources.read(_RESOURCE, _PART, [_field(application, one)])
        found = None if packed is None else _read(packed)
        if found is None:
            raise WebhookEndpointNotFound(one)
        return found

    async def all(self, application: str) -> Mapping[str, WebhookEndpoint]:
        """Return the endpoints of an application by id. Raises ApiKeyMissing."""
        self._require_key(application)
        await self._read_again()
        return self._known.get(application, {})

    async def everything(self) -> Sequence[NamedEndpoint]:
        """Return the endpoints of all applications, on or off. Raises StoreUnavailable."""
        await self._read_again()
        return [NamedEndpoint(name, one, found) for name, own in self._known.items() for one, found in own.items()]

    async def delete(self, application: str, one: str) -> None:
        """Delete an endpoint, if it exists. Raises ApiKeyMissing, StoreUnavailable."""
        self._require_key(application)
        await self._change(application, one, lambda before, _: None)
        await self._read_again()

    async def ping(self, application: str, one: str) -> PingResult:
        """Send a ping. Raises ApiKeyMissing, NotAllowed, WebhookEndpointNotFound, LimitReached."""
        endpoint = await self.get(application, one)
        if self.pinger is None:
            raise NotAllowed("Webhooks are disabled on this server.")
        return await self.pinger(NamedEndpoint(application, one, endpoint))

    async def resend(
        self, application: str, one: str, from_ms: int, request_id: bytes | None = None
    ) -> tuple[int, str]:
        """Send the events of an endpoint again. Return as ``resend_more``.

        ``from_ms``: since the Unix epoch. A repeat does not send them once more.

        Raises ApiKeyMissing, NotAllowed, InvalidField, WebhookEndpointNotFound, RequestIdReused.
        """
        request = identify(request_id or new_request_id(), f"resend of key {application}", one, from_ms)
        now = self._clock_ms()

        def decide(before: WebhookEndpoint | None, uptime_ms: int) -> WebhookEndpoint:
            if before is None:
                raise WebhookEndpointNotFound(one)
            if _is_repeat(before, request):
                return before
            if not now - MAX_RESEND_MS <= from_ms <= now:
                raise InvalidField("from_time", "Send a time in the past, at most 7 days ago.")
            on = replace(before.cleared(), state=EndpointState.ENABLED)
            after = replace(on, since_ms=from_ms, added_ms=(), generation=before.generation + 1)
            return after if request_id is None else replace(after, requests=_with(before, request))

        await self._require_resendable(application, one)
        await self._change(application, one, decide)
        return await self._schedule_from("", application)

    async def resend_more(self, application: str, one: str, place: str) -> tuple[int, str]:
        """Go on at a place. Return the number of sessions whose events are sent again, and the next place.

        An empty place is the end. Raises ApiKeyMissing, NotAllowed, WebhookEndpointNotFound, and ValueError for a text
        that is no place.
        """
        await self._require_resendable(application, one)
        return await self._schedule_from(place, application)

    async def _require_resendable(self, application: str, one: str) -> None:
        await self.get(application, one)
        if self._allows is None:
            raise NotAllowed("Webhooks are disabled on this server.")

    async def _schedule_from(self, place: str, application: str) -> tuple[int, str]:
        """Schedule the deliveries of an application's sessions in a page. They follow from the logs.

        The endpoint's generation is stored before. So a session that changes meanwhile is scheduled by its commit, and
        a page that is lost or repeated does no harm.
        """
        sessions, following = await self._store.walk(place, _PAGE)
        found = await self._of(application, tuple(dict.fromkeys(sessions)))
        await asyncio.gather(*(self._store.schedule.at("deliveries", session, 0) for session in found))
        return len(found), following

    async def _of(self, application: str, sessions: Sequence[str]) -> Sequence[str]:
        """Return those of the sessions that belong to an application. Damaged ones are left out."""
        found = []
        for session, summary in zip(sessions, await self._store.summaries(sessions), strict=True):
            if isinstance(summary, Summary) and application in _applications_of(summary):
                found.append(session)
        return found

    # ------------------------------------------------------------ results of attempts

    async def report(self, application: str, one: str, url: str, failure: str, *, gone: bool = False) -> None:
        """Note the result of an attempt, where it changes the state of the endpoint or why it fails.

        ``failure``: why the attempt failed; empty: it succeeded. ``gone``: with 410 Gone.
        """
        known = self._known.get(application, {}).get(one)
        if known is None or known.url != url or not await self._matters(known, failure, gone=gone):
            return

        def decide(before: WebhookEndpoint | None, uptime_ms: int) -> WebhookEndpoint:
            if before is None:
                raise WebhookEndpointNotFound(one)
            if before.url != url or before.state is not EndpointState.ENABLED:
                return before  # it was set or switched off meanwhile
            if not failure:
                return before.cleared()
            since = uptime_ms if before.failing_since_ms is None else before.failing_since_ms
            failed = uptime_ms - since >= FAILING_MS
            state = EndpointState.GONE if gone else EndpointState.FAILED if failed else before.state
            return replace(before, failing_since_ms=since, state=state, failure=failure, failure_ms=uptime_ms)

        with suppress(WebhookEndpointNotFound):
            await self._change(application, one, decide)

    async def _matters(self, known: WebhookEndpoint, failure: str, *, gone: bool) -> bool:
        """Return whether the result of an attempt changes an endpoint. Most do not, and cost no round trip."""
        since = known.failing_since_ms
        if not failure or gone or since is None:
            return bool(failure) or since is not None
        now = await self._store.uptime_ms()
        is_news = failure != known.failure and now - known.failure_ms >= _NEWS_MS
        return is_news or now - since >= FAILING_MS

    async def _change(
        self, application: str, one: str, decide: Callable[[WebhookEndpoint | None, int], Changed]
    ) -> Changed:
        """Change an endpoint. Raises the errors of ``decide``, and LimitReached, StoreUnavailable.

        ``decide`` returns the endpoint after the change, from that before it (``None``: none) and the uptime.
        """
        field = _field(application, one)
        async with self._changing:
            for _ in range(_ATTEMPTS):
                (packed,) = await self._store.resources.read(_RESOURCE, _PART, [field])
                before = None if packed is None else _read(packed)
                after = decide(before, await self._store.uptime_ms())
                if after == before and (after is not None or packed is None):
                    return after
                if before is None and after is not None:
                    await self._require_room(application)
                change = FieldChange(_PART, field, None if after is None else pack(after), packed)
                if await self._store.resources.change(_RESOURCE, [change]):
                    if after is not None:
                        self._known = {**self._known, application: {**self._known.get(application, {}), one: after}}
                    return after
        raise StoreUnavailable  # other replicas have changed it all the time

    async def _require_room(self, application: str) -> None:
        await self._read_again()
        if len(self._known.get(application, {})) >= ENDPOINTS_OF_KEY:
            raise LimitReached("endpoints_key", phrase("limit-own-endpoints", most=ENDPOINTS_OF_KEY), None)
        if sum(map(len, self._known.values())) >= MOST_ENDPOINTS:
            raise LimitReached("endpoints_server", phrase("limit-endpoints", most=grouped(MOST_ENDPOINTS)), None)

    def _require_key(self, application: str) -> None:
        if not application:
            raise ApiKeyMissing

    def _require_allowed(self, url: str) -> None:
        if self._allows is None:
            raise NotAllowed("Webhooks are disabled on this server.")
        receiver = receiver_of(url)
        if not self._allows(receiver.host, receiver.port):
            raise InvalidField("url", "The operator has not allowed webhooks to this host and port.")


def _is_repeat(endpoint: WebhookEndpoint, request: Request) -> bool:
    """Return whether the endpoint has had this request. Raises RequestIdReused if it was another one of that id."""
    if request.id not in (done.id for done in endpoint.requests):
        return False
    if request not in endpoint.requests:
        raise RequestIdReused
    return True


def _with(endpoint: WebhookEndpoint, request: Request) -> tuple[Request, ...]:
    return (*endpoint.requests, request)[-REMEMBERED_REQUESTS:]


def _field(application: str, one: str) -> bytes:
    return f"{application}/{one}".encode()


def _applications_of(summary: Summary) -> Sequence[str]:
    try:
        return unpack_record(summary.record).applications
    except ValueError:
        return ()
