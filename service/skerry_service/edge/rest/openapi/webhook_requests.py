"""The requests that the service sends to webhooks, in the API description."""

from __future__ import annotations

from typing import Any

from skerry.v1 import webhook_pb2
from skerry_service.edge.rest.openapi.comments import description_of
from skerry_service.edge.rest.openapi.schemas import Direction, Schema, Schemas

_HEADERS = {
    "webhook-id": "The id of the event. Repeated deliveries have the same id.",
    "webhook-timestamp": "When the request was signed, in seconds since 1970.",
    "webhook-signature": (
        "One or more signatures, separated by spaces. Each is `v1,` and the Base64 of the HMAC-SHA256 of "
        "`<webhook-id>.<webhook-timestamp>.<body>`, with a secret of the webhook as its key."
    ),
}
_EXAMPLE: dict[str, Any] = {
    "type": "seat.turn",
    "timestamp": "2026-01-01T00:00:00.000Z",
    "data": {
        "session": "sessions/abcdefghijklmnop",
        "game": "kreta",
        "labels": {"event": "spring-cup"},
        "sequence": "17",
        "seat": 1,
        "deadlineMs": "5054012",
        "serverTimeMs": "5023999",
        "players": [{"seat": 0, "displayName": "Ada"}, {"seat": 1, "displayName": "Bob", "playerId": "u-7"}],
        "picture": "/v1/sessions/abcdefghijklmnop/picture.svg",
    },
}


def webhook_request(schemas: Schemas) -> Schema:
    """Return the path item of the request to a webhook."""
    kind = webhook_pb2.WebhookPayload.DESCRIPTOR
    content = {"schema": schemas.message(kind, Direction.ANSWER), "example": _EXAMPLE}
    responses = {
        "2XX": {"description": "The event is delivered."},
        "default": {"description": "The service repeats the request later."},
    }
    operation: Schema = {
        "operationId": "receiveEvent",
        "summary": "An event of a session",
        "description": description_of(kind.file, kind.full_name),
        "tags": ["sessions"],
        "security": [],
        "parameters": [
            {"name": name, "in": "header", "required": True, "description": text, "schema": {"type": "string"}}
            for name, text in _HEADERS.items()
        ],
        "requestBody": {"required": True, "content": {"application/json": content}},
        "responses": responses,
    }
    return {"post": operation}
