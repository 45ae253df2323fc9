"""Examples of calls about webhook endpoints. They are made up, because the real ones need an API key."""

from __future__ import annotations

from collections.abc import Mapping

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from skerry.v1 import session_pb2
from skerry.v1 import webhook_pb2 as pb

_CREATED = Timestamp(seconds=1_767_225_600)
"""The beginning of 2026."""
_NAME, _URL = "webhookEndpoints/turns", "https://hooks.example/skerry"


def webhook_calls() -> Mapping[str, tuple[Message, Message]]:
    """Return a request and its answer for each RPC about webhook endpoints."""
    sent = [session_pb2.WEBHOOK_EVENT_TURN, session_pb2.WEBHOOK_EVENT_END]
    endpoint = pb.WebhookEndpoint(name=_NAME, url=_URL, events=sent, create_time=_CREATED, language="de")
    endpoint.state = pb.WEBHOOK_ENDPOINT_STATE_ENABLED
    return {
        "SetWebhookEndpoint": (
            pb.SetWebhookEndpointRequest(name=_NAME, url=_URL, events=sent, language="de"),
            pb.SetWebhookEndpointResponse(endpoint=endpoint, secret=f"whsec_{43 * 'A'}="),
        ),
        "GetWebhookEndpoint": (
            pb.GetWebhookEndpointRequest(name=_NAME),
            pb.GetWebhookEndpointResponse(endpoint=endpoint),
        ),
        "ListWebhookEndpoints": (
            pb.ListWebhookEndpointsRequest(),
            pb.ListWebhookEndpointsResponse(endpoints=[endpoint]),
        ),
        "DeleteWebhookEndpoint": (
            pb.DeleteWebhookEndpointRequest(name=_NAME),
            pb.DeleteWebhookEndpointResponse(),
        ),
        "PingWebhookEndpoint": (
            pb.PingWebhookEndpointRequest(name=_NAME),
            pb.PingWebhookEndpointResponse(status=204),
        ),
        "ResendWebhooks": (
            pb.ResendWebhooksRequest(name=_NAME, from_time=_CREATED),
            pb.ResendWebhooksResponse(sessions=12, next_page_token="1608-4f1a2b3c"),
        ),
    }
