"""The calls of the asyncio client about the webhook endpoints of an application, which is an API key."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from skerry.v1 import session_pb2
from skerry.v1 import webhook_pb2 as pb
from skerry_client import arguments
from skerry_client.calls import Calls
from skerry_client.errors import LimitReached
from skerry_client.transport import rpcs

_COLLECTION = "webhookEndpoints/"


class AsyncWebhookCalls:
    """Calls about webhook endpoints, which are given by id or name: ``main`` or ``webhookEndpoints/main``."""

    _calls: Calls

    async def set_webhook_endpoint(
        self,
        endpoint: str,
        url: str,
        *,
        events: Collection[str] = (),
        rotate_secret: bool = False,
        language: str | None = None,
    ) -> tuple[pb.WebhookEndpoint, str]:
        """Set an endpoint that receives the events of all sessions of this client's API key.

        Return it with the secret that signs its requests. The secret is empty if the call made no new one.
        ``events``: some of ``"create"``, ``"join"``, ``"start"``, ``"move"``, ``"turn"``, ``"nudge"``, ``"deadline"``,
        ``"end"`` and ``"rematch"``. Default: all.
        ``rotate_secret``: make a new secret. The previous one signs requests too for 24 hours.
        ``language``: of the sentences in its requests and of the pictures that they name, such as ``de``. Default:
        English.
        Raises ApiKeyMissing, ApiKeyScope, NotAllowed, InvalidField, LimitReached.
        """
        names = arguments.events(events, arguments.ENDPOINT_EVENTS)
        request = pb.SetWebhookEndpointRequest(
            name=_named(endpoint),
            url=arguments.text("url", url, "the URL that receives the events"),
            events=[session_pb2.WebhookEvent.Value(f"WEBHOOK_EVENT_{name.upper()}") for name in names],
            rotate_secret=arguments.boolean("rotate_secret", rotate_secret),
            request_id=self._calls.new_id(),
            language=arguments.language(language),
        )
        response = await self._calls.call(rpcs.SET_WEBHOOK_ENDPOINT, request)
        return response.endpoint, response.secret

    async def webhook_endpoint(self, endpoint: str) -> pb.WebhookEndpoint:
        """Read an endpoint. Raises ApiKeyMissing, ApiKeyScope, WebhookEndpointNotFound."""
        request = pb.GetWebhookEndpointRequest(name=_named(endpoint))
        return (await self._calls.call(rpcs.GET_WEBHOOK_ENDPOINT, request)).endpoint

    async def webhook_endpoints(self) -> Sequence[pb.WebhookEndpoint]:
        """Read all endpoints of this client's API key. Raises ApiKeyMissing, ApiKeyScope."""
        return (await self._calls.call(rpcs.LIST_WEBHOOK_ENDPOINTS, pb.ListWebhookEndpointsRequest())).endpoints

    async def delete_webhook_endpoint(self, endpoint: str) -> None:
        """Delete an endpoint. Raises ApiKeyMissing, ApiKeyScope, WebhookEndpointNotFound."""
        await self._calls.call(rpcs.DELETE_WEBHOOK_ENDPOINT, pb.DeleteWebhookEndpointRequest(name=_named(endpoint)))

    async def ping_webhook_endpoint(self, endpoint: str) -> pb.PingWebhookEndpointResponse:
        """Send ``webhook.ping`` to an endpoint. Return its ``status``, or the ``failure`` if it does not respond.

        Raises ApiKeyMissing, ApiKeyScope, WebhookEndpointNotFound, LimitReached.
        """
        request = pb.PingWebhookEndpointRequest(name=_named(endpoint))
        return await self._calls.call(rpcs.PING_WEBHOOK_ENDPOINT, request)

    async def resend_webhooks(self, endpoint: str, from_time: datetime) -> int:
        """Send the events since a time of the last seven days again. Return of how many sessions, at most.

        The method calls for each page of the service's sessions. Between pages, it waits for limits.
        ``from_time``: with a time zone.
        Raises ApiKeyMissing, ApiKeyScope, WebhookEndpointNotFound, InvalidField, LimitReached.
        """
        request = pb.ResendWebhooksRequest(
            name=_named(endpoint), from_time=_timestamp(from_time), request_id=self._calls.new_id()
        )
        sessions = 0
        while True:
            try:
                page = await self._calls.call(rpcs.RESEND_WEBHOOKS, request)
            except LimitReached as limit:
                if not request.page_token or limit.retry_after is None:
                    raise
                await asyncio.sleep(limit.retry_after)
                continue
            sessions += page.sessions
            request.page_token = page.next_page_token
            if not request.page_token:
                return sessions


def _named(given: str) -> str:
    """Return the name of an endpoint that is given by id or name."""
    arguments.text("endpoint", given, "the id of a webhook endpoint")
    return given if given.startswith(_COLLECTION) else f"{_COLLECTION}{given}"


def _timestamp(given: Any) -> Timestamp:
    if not isinstance(given, datetime):
        raise TypeError(f"from_time: Pass a datetime, not a {type(given).__name__}.")
    if given.utcoffset() is None:
        raise ValueError("from_time: Pass a datetime with a time zone, for example datetime.now(UTC).")
    made = Timestamp()
    made.FromDatetime(given)
    return made
