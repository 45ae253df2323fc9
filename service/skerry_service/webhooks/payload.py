"""The body of a webhook request, and its headers with the signature (Standard Webhooks: HMAC-SHA256)."""

from __future__ import annotations

import hmac
from base64 import b64decode, b64encode
from hashlib import sha256

import msgspec
from msgspec import Struct

from skerry_service.domain.record import Record
from skerry_service.domain.webhook_events import WebhookMessage, secret_of


class Payload(Struct, frozen=True, rename="camel", omit_defaults=True):
    """``skerry.v1.WebhookPayload`` as JSON, where 64-bit numbers are strings."""

    id: str
    event: str
    session: str
    sequence: str
    server_time_ms: str
    seat: int | None = None
    deadline_ms: str | None = None


def body_of(record: Record, message: WebhookMessage, now_ms: int) -> bytes:
    """Return the body of a request about an event. ``now_ms``: store uptime."""
    condition = message.condition
    payload = Payload(
        id=message.id,
        event=f"WEBHOOK_EVENT_{condition.event.name}",
        session=f"sessions/{record.id}",
        sequence=str(condition.sequence),
        server_time_ms=str(now_ms),
        seat=condition.seat,
        deadline_ms=None if condition.deadline_ms is None else str(condition.deadline_ms),
    )
    return msgspec.json.encode(payload)


def headers_of(record: Record, message: WebhookMessage, body: bytes, time_s: int) -> list[tuple[str, str]]:
    """Return the headers of a request. ``time_s``: when it is signed, in seconds since the Unix epoch."""
    key = b64decode(secret_of(record, message.webhook).partition("_")[2])
    signature = hmac.new(key, b"%s.%d.%s" % (message.id.encode(), time_s, body), sha256).digest()
    return [
        ("content-type", "application/json"),
        ("user-agent", "Skerry-Webhooks/1"),
        ("webhook-id", message.id),
        ("webhook-timestamp", str(time_s)),
        ("webhook-signature", f"v1,{b64encode(signature).decode()}"),
    ]
