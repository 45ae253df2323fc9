"""The calls of the blocking client about webhook endpoints."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from skerry.v1 import webhook_pb2 as pb
from skerry_client.loop import Loop
from skerry_client.resources.webhook_calls import AsyncWebhookCalls


class WebhookCalls:
    """The blocking form of ``AsyncWebhookCalls``, whose methods explain more."""

    _loop: Loop
    _client: AsyncWebhookCalls

    def set_webhook_endpoint(
        self,
        endpoint: str,
        url: str,
        *,
        events: Collection[str] = (),
        rotate_secret: bool = False,
        language: str | None = None,
    ) -> tuple[pb.WebhookEndpoint, str]:
        """Set an endpoint of this API key. Return it with its secret (see ``AsyncClient.set_webhook_endpoint``)."""
        setting = self._client.set_webhook_endpoint(
            endpoint, url, events=events, rotate_secret=rotate_secret, language=language
        )
        return self._loop.run(setting)

    def webhook_endpoint(self, endpoint: str) -> pb.WebhookEndpoint:
        """Read an endpoint. Raises WebhookEndpointNotFound."""
        return self._loop.run(self._client.webhook_endpoint(endpoint))

    def webhook_endpoints(self) -> Sequence[pb.WebhookEndpoint]:
        """Read all endpoints of this client's API key."""
        return self._loop.run(self._client.webhook_endpoints())

    def delete_webhook_endpoint(self, endpoint: str) -> None:
        """Delete an endpoint. Raises WebhookEndpointNotFound."""
        self._loop.run(self._client.delete_webhook_endpoint(endpoint))

    def ping_webhook_endpoint(self, endpoint: str) -> pb.PingWebhookEndpointResponse:
        """Send ``webhook.ping`` to an endpoint (see ``AsyncClient.ping_webhook_endpoint``)."""
        return self._loop.run(self._client.ping_webhook_endpoint(endpoint))

    def resend_webhooks(self, endpoint: str, from_time: datetime) -> int:
        """Send the events since a time again (see ``AsyncClient.resend_webhooks``)."""
        return self._loop.run(self._client.resend_webhooks(endpoint, from_time))
