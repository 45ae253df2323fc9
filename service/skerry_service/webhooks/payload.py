"""The body of a webhook request, and its headers with the signature (Standard Webhooks: HMAC-SHA256)."""

from __future__ import annotations

import hmac
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256

import msgspec
from msgspec import Struct

from skerry_service.domain.record import Record
from skerry_service.domain.seating.departures import reason_in
from skerry_service.domain.table import Table
from skerry_service.domain.tokens import ANONYMOUS, may_view_game
from skerry_service.domain.webhook_events import WebhookMessage
from skerry_service.wire.caller_language import language_of


class PayloadPlayer(Struct, frozen=True, rename="camel", omit_defaults=True):
    """``skerry.v1.WebhookPlayer`` as JSON."""

    seat: int
    display_name: str
    player_id: str | None = None


class PayloadOutcome(Struct, frozen=True):
    """``skerry.v1.Outcome`` as JSON."""

    ranks: Sequence[int]
    scores: Sequence[int]
    reason: str
    substitutions: Sequence[None] = ()
    """Left out, because a session can have thousands."""


class PayloadData(Struct, frozen=True, rename="camel", omit_defaults=True):
    """``skerry.v1.WebhookData`` as JSON, where 64-bit numbers are strings."""

    session: str
    game: str
    labels: Mapping[str, str]
    sequence: str
    server_time_ms: str
    players: Sequence[PayloadPlayer]
    seat: int | None = None
    deadline_ms: str | None = None
    outcome: PayloadOutcome | None = None
    picture: str | None = None
    rematch: str | None = None


class Payload(Struct, frozen=True):
    """``skerry.v1.WebhookPayload`` as JSON."""

    type: str
    timestamp: str
    data: PayloadData


def body_of(table: Table, message: WebhookMessage, now_ms: int, time_ms: int) -> bytes:
    """Return the body of a request about an event. ``now_ms``: store uptime. ``time_ms``: since the Unix epoch."""
    record, condition = table.record, message.condition
    language = message.target.language
    shown = table.state is not None and may_view_game(record, ANONYMOUS)
    data = PayloadData(
        session=f"sessions/{record.id}",
        game=record.game,
        labels=dict(record.labels),
        sequence=str(condition.sequence),
        server_time_ms=str(now_ms),
        players=_players(record),
        seat=condition.seat,
        deadline_ms=None if condition.deadline_ms is None else str(condition.deadline_ms),
        outcome=_outcome(record, language),
        picture=f"/v1/sessions/{record.id}/picture.svg{f'?language={language}' if language else ''}" if shown else None,
        rematch=f"sessions/{condition.rematch}" if condition.rematch else None,
    )
    return _encoded(condition.event.type, time_ms if message.time_ms is None else message.time_ms, data)


def ping_body(now_ms: int, time_ms: int) -> bytes:
    """Return the body of a ping. ``now_ms`` and ``time_ms``: as for ``body_of``."""
    return _encoded("webhook.ping", time_ms, PayloadData("", "", {}, "0", str(now_ms), ()))


def _encoded(kind: str, time_ms: int, data: PayloadData) -> bytes:
    moment = datetime.fromtimestamp(time_ms / 1000, UTC).replace(tzinfo=None)
    return msgspec.json.encode(Payload(kind, f"{moment.isoformat(timespec='milliseconds')}Z", data))


def _players(record: Record) -> Sequence[PayloadPlayer]:
    """Return the players. Owners of webhooks hold a seat or host token, and so may see the ids."""
    return [PayloadPlayer(seat, one.name, one.player_id or None) for seat, one in enumerate(record.seats) if one.token]


def _outcome(record: Record, language: str) -> PayloadOutcome | None:
    """Return the outcome with its reason in a language. ``language``: a tag; empty: English."""
    outcome = record.outcome
    if outcome is None:
        return None
    return PayloadOutcome(outcome.ranks, outcome.scores, reason_in(outcome.reason, language_of(language.encode())))


def headers_of(message: str, secrets: Sequence[str], body: bytes, time_s: int) -> list[tuple[str, str]]:
    """Return the headers of a request, with a signature by each secret.

    ``message``: its id. ``time_s``: when it is signed, in seconds since the Unix epoch.
    """
    signed = b"%s.%d.%s" % (message.encode(), time_s, body)
    return [
        ("content-type", "application/json"),
        ("user-agent", "Skerry-Webhooks/1"),
        ("webhook-id", message),
        ("webhook-timestamp", str(time_s)),
        ("webhook-signature", " ".join(_signature(secret, signed) for secret in secrets)),
    ]


def _signature(secret: str, signed: bytes) -> str:
    digest = hmac.new(b64decode(secret.partition("_")[2]), signed, sha256).digest()
    return f"v1,{b64encode(digest).decode()}"
