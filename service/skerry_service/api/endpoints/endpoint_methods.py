"""The RPCs about the webhook endpoints of applications. An application is the API key of the call."""

from __future__ import annotations

from skerry.v1 import session_pb2
from skerry.v1 import webhook_pb2 as pb
from skerry_service.access.calling_key import current_key
from skerry_service.api.requests.ladder_requests import new_id_of
from skerry_service.api.requests.list_requests import bad_page_token
from skerry_service.api.requests.request_checks import language_tag_of, request_id_of, webhook_events_of
from skerry_service.domain.endpoints.webhook_endpoints import WebhookEndpoint
from skerry_service.domain.errors import InvalidField
from skerry_service.domain.record import WebhookEvent
from skerry_service.sessions.service import Sessions

_COLLECTION = "webhookEndpoints"


class WebhookEndpointMethods:
    """A method for each RPC about webhook endpoints."""

    _sessions: Sessions

    async def set_webhook_endpoint(
        self, request: pb.SetWebhookEndpointRequest, token: str | None
    ) -> pb.SetWebhookEndpointResponse:
        """Set an endpoint."""
        one, request_id = _id_of(request.name), request_id_of(request.request_id)
        events = webhook_events_of(request.events, tuple(WebhookEvent))
        language = language_tag_of(request.language) if request.language else ""
        endpoint, secret = await self._sessions.endpoints.set(
            current_key(), one, request.url, events, request_id, rotate=request.rotate_secret, language=language
        )
        return pb.SetWebhookEndpointResponse(endpoint=await self._write_endpoint(one, endpoint), secret=secret)

    async def get_webhook_endpoint(
        self, request: pb.GetWebhookEndpointRequest, token: str | None
    ) -> pb.GetWebhookEndpointResponse:
        """Return an endpoint."""
        one = _id_of(request.name)
        endpoint = await self._sessions.endpoints.get(current_key(), one)
        return pb.GetWebhookEndpointResponse(endpoint=await self._write_endpoint(one, endpoint))

    async def list_webhook_endpoints(
        self, request: pb.ListWebhookEndpointsRequest, token: str | None
    ) -> pb.ListWebhookEndpointsResponse:
        """Return all endpoints."""
        found = await self._sessions.endpoints.all(current_key())
        return pb.ListWebhookEndpointsResponse(
            endpoints=[await self._write_endpoint(one, endpoint) for one, endpoint in found.items()]
        )

    async def delete_webhook_endpoint(
        self, request: pb.DeleteWebhookEndpointRequest, token: str | None
    ) -> pb.DeleteWebhookEndpointResponse:
        """Delete an endpoint."""
        await self._sessions.endpoints.delete(current_key(), _id_of(request.name))
        return pb.DeleteWebhookEndpointResponse()

    async def ping_webhook_endpoint(
        self, request: pb.PingWebhookEndpointRequest, token: str | None
    ) -> pb.PingWebhookEndpointResponse:
        """Send a ping."""
        result = await self._sessions.endpoints.ping(current_key(), _id_of(request.name))
        return pb.PingWebhookEndpointResponse(status=result.status, failure=result.failure)

    async def resend_webhooks(self, request: pb.ResendWebhooksRequest, token: str | None) -> pb.ResendWebhooksResponse:
        """Send events of a page of sessions again."""
        one, request_id, endpoints = _id_of(request.name), request_id_of(request.request_id), self._sessions.endpoints
        if not request.HasField("from_time"):
            raise InvalidField("from_time", "Send the time from which to send events again.")
        if request.page_token:
            try:
                page = await endpoints.resend_more(current_key(), one, request.page_token)
            except ValueError:
                raise bad_page_token() from None
        else:
            page = await endpoints.resend(current_key(), one, request.from_time.ToMilliseconds(), request_id)
        return pb.ResendWebhooksResponse(sessions=page[0], next_page_token=page[1])

    async def _write_endpoint(self, one: str, endpoint: WebhookEndpoint) -> pb.WebhookEndpoint:
        now, failing = await self._sessions.uptime_ms(), endpoint.failing_since_ms
        previous = endpoint.previous_until_ms - now
        message = pb.WebhookEndpoint(
            name=f"{_COLLECTION}/{one}",
            url=endpoint.url,
            events=[session_pb2.WebhookEvent.ValueType(event) for event in endpoint.events],
            state=pb.WebhookEndpointState.ValueType(endpoint.state),
            failing_ms=None if failing is None else max(0, now - failing),
            previous_secret_ms=previous if previous > 0 else None,
            language=endpoint.language,
        )
        message.create_time.FromMilliseconds(endpoint.created_ms)
        return message


def _id_of(name: str) -> str:
    return new_id_of(name, _COLLECTION)
