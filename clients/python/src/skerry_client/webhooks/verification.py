"""The signatures of webhook requests, as the Standard Webhooks specification defines them."""

from __future__ import annotations

import binascii
import hmac
import re
import time
from base64 import b64decode, b64encode
from collections.abc import Iterable
from typing import Protocol

from google.protobuf.json_format import Parse, ParseError

from skerry.v1.webhook_pb2 import WebhookPayload
from skerry_client import arguments

_PREFIX = "whsec_"
_ID, _TIME, _SIGNATURES = "webhook-id", "webhook-timestamp", "webhook-signature"
_SECONDS = re.compile("[0-9]{1,12}")


class WebhookInvalid(Exception):
    """The request does not come from the service, or is too old. Reject it with the status 401."""


class RequestHeaders(Protocol):
    """Headers of a request, as a mapping or as ``http.server`` and most frameworks have them."""

    def items(self) -> Iterable[tuple[str, str]]:
        """Return the names and values. Names may be in upper or lower case."""


def verify(
    body: bytes, headers: RequestHeaders, secret: str, *, tolerance: float = 300.0
) -> tuple[str, WebhookPayload]:
    """Check the signature of a webhook request. Return the id of its event, and its payload.

    Repeated deliveries have the same id: keep the ids of the last days, and drop repeats.

    ``body``: the bytes of the body as received. ``secret``: as the call that set the webhook returned it.
    ``tolerance``: the most seconds that the timestamp may differ from this machine's clock.
    Raises WebhookInvalid.
    """
    if not isinstance(body, bytes | bytearray):
        raise TypeError(f"body: Pass the bytes of the body as received, not a {type(body).__name__}.")
    key, tolerance = _key_of(secret), arguments.seconds("tolerance", tolerance)
    sent = _sent(headers)
    signed = f"{sent[_ID]}.{sent[_TIME]}.".encode("utf-8", "replace") + body
    expected = b"v1," + b64encode(hmac.digest(key, signed, "sha256"))
    # Two signatures while the secret changes. Of other versions, none is comparable.
    if not any(hmac.compare_digest(expected, one.encode("utf-8", "replace")) for one in sent[_SIGNATURES].split(" ")):
        raise WebhookInvalid(f"No signature in {_SIGNATURES} is valid for this body and secret.")
    _check_time(sent[_TIME], tolerance)
    try:
        return sent[_ID], Parse(bytes(body), WebhookPayload(), ignore_unknown_fields=True)
    except (ParseError, UnicodeDecodeError) as error:
        raise WebhookInvalid(f"The body is not a WebhookPayload: {error}") from None


def _key_of(secret: str) -> bytes:
    """Return the key of a secret. Error messages do not show it."""
    given = arguments.secret("secret", secret, "the secret of the webhook")
    try:
        key = b64decode(given.removeprefix(_PREFIX), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError(f"secret: Pass the secret of the webhook as received: {_PREFIX} and Base64.")
    return key


def _sent(headers: RequestHeaders) -> dict[str, str]:
    """Return the three headers of a webhook. One that comes twice could be read otherwise."""
    wanted = [(name.lower(), value) for name, value in headers.items() if name.lower() in (_ID, _TIME, _SIGNATURES)]
    sent = dict(wanted)
    for name in (_ID, _TIME, _SIGNATURES):
        if not sent.get(name):
            raise WebhookInvalid(f"The header {name} is missing.")
    if len(wanted) > len(sent):
        raise WebhookInvalid("A header of the webhook came twice.")
    return sent


def _check_time(sent: str, tolerance: float) -> None:
    if not _SECONDS.fullmatch(sent):
        raise WebhookInvalid(f"{_TIME} is not a number of seconds since 1970.")
    late = time.time() - int(sent)
    if abs(late) > tolerance:
        where = "old" if late > 0 else "far in the future"
        raise WebhookInvalid(f"The request is too {where}: {abs(late):.0f} s, of at most {tolerance:g} s.")
