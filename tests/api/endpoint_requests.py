"""A well-formed request of each RPC about webhook endpoints, for tables with a row for each RPC."""

from __future__ import annotations

import time

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from skerry.v1 import webhook_pb2 as pb

NAME = "webhookEndpoints/main"
ENDPOINT_REQUESTS: dict[str, Message] = {
    "SetWebhookEndpoint": pb.SetWebhookEndpointRequest(name=NAME, url="http://127.0.0.1:9/"),
    "GetWebhookEndpoint": pb.GetWebhookEndpointRequest(name=NAME),
    "ListWebhookEndpoints": pb.ListWebhookEndpointsRequest(),
    "DeleteWebhookEndpoint": pb.DeleteWebhookEndpointRequest(name=NAME),
    "PingWebhookEndpoint": pb.PingWebhookEndpointRequest(name=NAME),
    "ResendWebhooks": pb.ResendWebhooksRequest(name=NAME, from_time=Timestamp(seconds=int(time.time()) - 60)),
}
